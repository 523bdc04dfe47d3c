import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';

const execute = promisify(execFile);
const root = path.join(import.meta.dirname, '..', '..');

/** It installs from the registry, which takes as long as the network does. */
const timeout = 300_000;

it('the packed release, installed in an empty folder, starts without a build, and its command line makes a key', {
  timeout,
}, async () => {
  const parent = await mkdtemp(path.join(tmpdir(), 'release-'));
  // As root, PostgreSQL's user must be able to enter.
  await chmod(parent, 0o755);
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = path.join(parent, 'node-project');
  await execute('npm', ['pack', '--ignore-scripts=false', '--pack-destination', parent], { cwd: root });
  const [tarball = ''] = (await readdir(parent)).filter((name) => name.endsWith('.tgz'));
  // npm makes the folder, and installs no build tools: none is a dependency.
  await execute('npm', ['install', '--no-audit', '--prefer-offline', '--prefix', folder, path.join(parent, tarball)], {
    cwd: parent,
  });
  const env = { PATH: inject('searchPath'), HOME: parent, PORT: '0' };
  const npx = ['--no-install'];

  const service = spawn('npx', [...npx, 'academic-structure-service'], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  onTestFinished(async () => {
    if (service.exitCode === null && service.signalCode === null) process.kill(-(service.pid ?? Number.NaN), 'SIGTERM');
    await ended;
  });
  let url = '';
  for await (const line of createInterface(service.stdout)) {
    url = /^listening on (\S+)$/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  const made = await execute('npx', [...npx, 'academic-structure-service-cli', 'keys', 'create', '--user', 'admin'], {
    cwd: folder,
    env,
  });

  const [key = ''] = /uas_\w+/.exec(made.stdout) ?? [];
  const response = await fetch(`${url}/v1/ping`, { headers: { 'x-api-key': key } });
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  const page = await fetch(`${url}/docs`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/v1/api/academics/programs')]);
  const guide = await fetch(`${url}/docs/recipes`);
  expect([guide.status, await guide.text()]).toEqual([200, expect.stringContaining('Python with httpx')]);
  const graphiql = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
  expect(graphiql.status).toBe(200);

  process.kill(-(service.pid ?? Number.NaN), 'SIGINT');
  await ended;
});
