import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { environmentWith } from '../../src/config.ts';

const program = path.join(import.meta.dirname, '..', '..', 'build.js');
const environment = environmentWith({});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['src/generated', 'dist', 'data', 'bin']) mkdirSync(path.join(folder, name), { recursive: true });
  for (const name of ['src/a.ts', 'src/b.ts', 'data/a.csv', 'dist/a.js', 'builds']) write(name, 'x');
  buildBy('echo building; printf x >> builds; printf y > src/generated/c.ts');
});

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
const wireit = {
  build: { dependencies: ['generate'], files: ['src/**/*.ts', '!src/generated/**'], output: ['dist/**'] },
  generate: { files: ['data/*.csv', 'package-lock.json'], output: ['src/generated/**'] },
  unrelated: { files: ['notes.md'] },
};
function buildBy(build: string): void {
  write('package.json', JSON.stringify({ scripts: { build }, wireit }));
  const shortcut = `#!/bin/sh\n[ "$*" = 'run --silent build' ] || exit 99\n${build}\n`;
  writeFileSync(path.join(folder, 'bin', 'npm'), shortcut, { mode: 0o755 });
}
function run(words: readonly string[], env = environment) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}
const runWithNpm = (...words: string[]) => run(words);
/** Runs the script in place of npm, whose start takes longer than all the rest. */
const runAlone = (...words: string[]) =>
  run(words, { ...environment, PATH: [path.join(folder, 'bin'), environment['PATH']].join(path.delimiter) });
const nothing = { status: 0, stdout: '', stderr: '' };
/** How often it was built. */
const builds = () => readFileSync(path.join(folder, 'builds')).length - 1;

it('builds once, and says so unless it is to be quiet', () => {
  expect(runWithNpm('--quiet')).toEqual(nothing);
  expect(runWithNpm()).toEqual(nothing);
  expect(builds()).toBe(1);
  write('src/a.ts', 'other');
  expect(runWithNpm()).toMatchObject({ status: 0, stdout: 'building\n' });
});

it('builds again when a file has changed, is new or was deleted', () => {
  const changes: readonly (() => void)[] = [
    () => appendFileSync(path.join(folder, 'src/a.ts'), ' '),
    () => utimesSync(path.join(folder, 'src/a.ts'), 1, 1),
    () => write('src/d.ts', ''),
    () => rmSync(path.join(folder, 'src/b.ts')),
    () => rmSync(path.join(folder, 'src/generated/c.ts')),
    () => rmSync(path.join(folder, 'dist/a.js')),
    () => write('package-lock.json', '{}'),
    () => appendFileSync(path.join(folder, 'data/a.csv'), ' '),
    () => write('data/b.csv', ''),
  ];
  runAlone();
  for (const [index, change] of changes.entries()) {
    change();
    expect([runAlone('--quiet'), builds()]).toEqual([nothing, index + 2]);
  }
});

it('does not build when a file has changed that is no input of the build', () => {
  runAlone();
  for (const name of ['notes.md', 'src/notes.md', 'data/notes.md']) write(name, 'x');
  expect([runAlone(), builds()]).toEqual([nothing, 1]);
});

it('rejects a pattern that it would not match as wireit does', () => {
  write('package.json', JSON.stringify({ scripts: {}, wireit: { build: { files: ['src/{a,b}.ts'] } } }));
  expect(runAlone()).toMatchObject({ status: 1, stderr: expect.stringContaining('the pattern src/{a,b}.ts') });
});

it('builds again when a source changed during the build', () => {
  buildBy('printf x >> builds; printf z >> src/a.ts');
  runAlone();
  runAlone();
  expect(builds()).toBe(2);
});

it('prints a failed build, and repeats it', () => {
  buildBy('printf x >> builds; echo out; echo err >&2; exit 2');
  for (const count of [1, 2]) {
    const { status, stdout, stderr } = runWithNpm('--quiet');
    expect([status, stdout, stderr.includes('out\n') && stderr.includes('err\n')]).toEqual([1, '', true]);
    expect(builds()).toBe(count);
  }
});
