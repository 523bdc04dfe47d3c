import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { subscribe } from '../support/event-stream.ts';
import { adminKey } from '../support/server.ts';

/** The newest release of each line of Node.js after the oldest one that is supported, which runs all other tests. */
const versions = ['22.23.3', '24.21.0', '26.10.0'];
const tooOld = ['16.20.2', '18.20.8'];
const root = path.join(import.meta.dirname, '..', '..');
const programs = '/v1/api/academics/programs';

let binaries: string;
const binaryOf = (version: string): string => path.join(binaries, 'node_modules', `node-${version}`, 'bin', 'node');
// From the packages that carry them for this platform, side by side.
beforeAll(async () => {
  binaries = await mkdtemp(path.join(tmpdir(), 'node-versions-'));
  const packages = [...versions, ...tooOld].map(
    (version) => `node-${version}@npm:node-${process.platform}-${process.arch}@${version}`,
  );
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--prefer-offline', '--prefix', binaries];
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: binaries });
}, 180_000);
afterAll(() => rm(binaries, { recursive: true, force: true }));

/** Starts the built service with an embedded PostgreSQL of its own. */
async function start(node: string, folder: string) {
  const child = spawn(node, ['--trace-deprecation', '--pending-deprecation', path.join(root, 'dist', 'main.js')], {
    cwd: folder,
    env: {
      PATH: inject('searchPath'),
      PORT: '0',
      DATA_DIR: path.join(folder, 'data'),
      BOOTSTRAP_API_KEY: adminKey,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => {
    complaints += text;
  });
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return { url, child, ended, complaints: () => complaints };
  }
  throw new Error(`The service did not start. ${complaints}`);
}

describe.each(versions)('on Node.js %s', (version) => {
  it('the service starts, serves REST, GraphQL and events, from the cache too, and stops, without a warning', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'node-version-'));
    // As root, PostgreSQL's user must be able to enter.
    await chmod(folder, 0o755);
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { url, child, ended, complaints } = await start(binaryOf(version), folder);
    const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
    const read = async (address: string, request: RequestInit = {}): Promise<unknown> =>
      (await fetch(url + address, { headers, ...request })).json();

    const events = await subscribe({ url }, 'subscription { catalogChanged { action program { name } } }');
    const body = JSON.stringify({ name: 'Physics', duration: '3 Years' });
    expect(await read(programs, { method: 'POST', body })).toEqual({ id: 1, name: 'Physics', duration: '3 Years' });
    expect(await events.result()).toEqual({
      data: { catalogChanged: { action: 'CREATE', program: { name: 'Physics' } } },
    });
    events.close();

    const page = { items: [{ id: 1, name: 'Physics', duration: '3 Years' }], count: 1 };
    const query = {
      method: 'POST',
      body: JSON.stringify({ query: '{ programs { items { id name duration } count } }' }),
    };
    // The third time a query is executed by compiled code, unless its response is in the cache by then.
    for (let repeat = 0; repeat < 4; repeat += 1) {
      expect(await read(programs)).toMatchObject(page);
      expect(await read('/graphql', query)).toEqual({ data: { programs: page } });
      expect(await read(`/graphql?query={program(id:1){name}}&operationName=&unused=${repeat}`)).toEqual({
        data: { program: { name: 'Physics' } },
      });
    }
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/_total\{result="hit"\} [1-9]/);

    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(complaints()).toBe('');
  });
});

it.each(
  tooOld.flatMap((version) =>
    ['build.js', 'dist/main.js', 'dist/cli/main.js'].map((script) => [version, script] as const),
  ),
)('on Node.js %s, %s ends with one sentence', async (version, script) => {
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(await readFile('package.json', 'utf8')));
  const oldest = engines.node.replace(/^>=(.*)\.0$/, '$1');
  const child = await promisify(execFile)(binaryOf(version), [script], { cwd: root }).catch((ended: unknown) => ended);
  expect(child).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `Node.js ${version} is too old: ${oldest} or newer is needed, from https://nodejs.org.\n`,
  });
});
