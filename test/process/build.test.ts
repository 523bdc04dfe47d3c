import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { environmentWith } from '../../src/config.ts';

const program = path.join(import.meta.dirname, '..', '..', 'build.js');

/** What each tool writes. */
const outputs = {
  prisma: 'src/generated/prisma/client.ts',
  'tsx codegen': 'examples/copy/generated/operations.ts',
  vite: 'console/dist/index.html',
  'tsx site': 'site/dist/index.html',
  rolldown: 'dist/main.js',
  'tsx licenses': 'licenses/dist/sbom.cdx.json',
};
type Tool = keyof typeof outputs;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  write('package-lock.json', '{ "packages": {} }');
  write('node_modules/.package-lock.json', '{ "packages": {} }');
  for (const name of ['openapi.json', 'schema.graphql', 'notes.md', 'runs']) write(name, '');
  for (const name of ['prisma/schema.prisma', 'docs/rest.md', 'site/build.ts', 'src/a.ts', 'src/b.ts'])
    write(name, 'x');
  for (const name of ['examples/copy/changes.graphql', 'console/src/main.ts', 'test/a.test.ts']) write(name, 'x');
  // In place of the tools, whose own work takes seconds.
  for (const tool of Object.keys(outputs) as Tool[]) useTool(tool);
  write('node_modules/.bin/tsx', '#!/bin/sh\nexec "node_modules/.bin/tsx $(echo "$1" | sed "s|[./].*||")"', 0o755);
});

function write(name: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text, { mode });
}

function useTool(tool: Tool, script = 'true'): void {
  const output = outputs[tool];
  const lines = ['#!/bin/sh', `echo ${tool} >> runs`, script, `mkdir -p ${path.dirname(output)}`, `echo > ${output}`];
  write(`node_modules/.bin/${tool}`, lines.join('\n'), 0o755);
}

function build(...words: string[]) {
  const before = readFileSync(path.join(folder, 'runs'), 'utf8').length;
  const options = { cwd: folder, encoding: 'utf8', env: environmentWith({}) } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], options);
  const ran = readFileSync(path.join(folder, 'runs'), 'utf8').slice(before).split('\n').filter(Boolean).sort();
  return { status, stdout, stderr, ran };
}

const quietly = (...ran: Tool[]) => ({ status: 0, stdout: '', stderr: '', ran: ran.sort() });
const all = Object.keys(outputs) as Tool[];

it('builds everything once, and says what unless it is to be quiet', () => {
  expect(build('--quiet')).toEqual(quietly(...all));
  expect(build()).toEqual(quietly());
  appendFileSync(path.join(folder, 'src/a.ts'), 'y');
  const lines = /^build: service, \d+\.\d s\nbuild: licenses, \d+\.\d s\n$/;
  expect(build()).toEqual({ ...quietly('rolldown', 'tsx licenses'), stdout: expect.stringMatching(lines) });
});

it('says before the first build how long it takes', () => {
  const { stdout } = build();
  expect(stdout).toMatch(/^Builds everything, once: a quarter of a minute, .*\n(?:build: \w+, \d+\.\d s\n){6}$/);
});

it.runIf(inject('thorough'))('builds what a change concerns, with what comes after it', () => {
  const remove = (name: string) => () => rmSync(path.join(folder, name));
  const append = (name: string) => () => appendFileSync(path.join(folder, name), '\n');
  const changes: readonly (readonly [change: () => void, ...ran: Tool[]])[] = [
    [append('docs/rest.md'), 'tsx site'],
    [append('openapi.json'), 'tsx site'],
    [append('console/src/main.ts'), 'vite', 'tsx licenses'],
    [append('prisma/schema.prisma'), 'prisma', 'rolldown', 'tsx licenses', 'tsx site'],
    [append('schema.graphql'), 'tsx codegen', 'vite', 'tsx licenses', 'tsx site'],
    [append('examples/copy/changes.graphql'), 'tsx codegen', 'vite', 'tsx licenses'],
    [append('package-lock.json'), ...all],
    [append('src/new.ts'), 'rolldown', 'tsx licenses'],
    [remove('src/new.ts'), 'rolldown', 'tsx licenses'],
    [remove('dist/main.js'), 'rolldown'],
    [remove('site/dist/index.html'), 'tsx site'],
    [append('notes.md')],
    [append('test/a.test.ts')],
  ];
  build('--quiet');
  for (const [change, ...ran] of changes) {
    change();
    expect(build('--quiet')).toEqual(quietly(...ran));
  }
});

it('builds the named steps, with those before them', () => {
  expect(build('--quiet', 'console')).toEqual(quietly('tsx codegen', 'vite'));
  expect(build('--quiet', 'documents')).toEqual(quietly());
});

it.runIf(inject('thorough'))('builds again what has changed while it was built', () => {
  useTool('rolldown', 'echo z >> src/a.ts');
  build('--quiet');
  expect(build('--quiet')).toEqual(quietly('rolldown', 'tsx licenses'));
});

it.runIf(inject('thorough'))(
  'builds again after a failure, also when the change is undone: it may have left half of its output',
  () => {
    build('--quiet');
    useTool('rolldown', '[ "$(cat src/a.ts)" = x ] || exit 1');
    write('src/a.ts', 'y');
    expect(build('--quiet')).toMatchObject({ status: 1, ran: ['rolldown'] });
    write('src/a.ts', 'x');
    expect(build('--quiet')).toEqual(quietly('rolldown'));
  },
);

it.runIf(inject('thorough'))('prints a step that fails, runs none after it, and repeats it', () => {
  useTool('tsx codegen', 'echo out; echo err >&2; exit 2');
  const failed = {
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Command failed: .*tsx codegen\.ts\nerr\n\nout\n$/),
  };
  expect(build('--quiet')).toEqual({ ...failed, ran: ['prisma', 'rolldown', 'tsx codegen', 'tsx site'] });
  expect(existsSync(path.join(folder, 'console/dist'))).toBe(false);
  expect(build('--quiet')).toEqual({ ...failed, ran: ['tsx codegen'] });
});

it('names a package for this platform that the installation has left out, before it builds', () => {
  const lock = readFileSync(path.join(path.dirname(program), 'package-lock.json'), 'utf8');
  write('package-lock.json', lock);
  const packages = z.object({ packages: z.record(z.string(), z.object({ os: z.array(z.string()).optional() })) });
  const parts = Object.entries(packages.parse(JSON.parse(lock)).packages).filter(([, { os }]) => os !== undefined);
  for (const [name] of [['node_modules/lightningcss'], ...parts])
    mkdirSync(path.join(folder, String(name)), { recursive: true });
  expect(build('--quiet')).toMatchObject({ status: 0 });

  const binaries = path.join(folder, 'node_modules');
  for (const name of readdirSync(binaries)) {
    if (name.startsWith('lightningcss-')) rmSync(path.join(binaries, name), { recursive: true });
  }
  expect(build('--quiet')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^These packages did not arrive when npm installed: lightningcss-\S.*\. Run `npm ci` again\.\n$/,
    ),
    ran: [],
  });
});

it('says that an installation has not been finished, before it builds', () => {
  rmSync(path.join(folder, 'node_modules/.package-lock.json'));
  expect(build('--quiet')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'The packages are not installed, or not all of them: run `npm ci`.\n',
    ran: [],
  });
});
