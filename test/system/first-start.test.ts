import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, inject, it, onTestFinished } from 'vitest';

it('npm start, with nothing configured, starts a database, prints a valid key, and stops on Ctrl-C', async () => {
  const parent = await mkdtemp(path.join(tmpdir(), 'first-start-'));
  // As root, PostgreSQL's user must be able to enter.
  await chmod(parent, 0o755);
  onTestFinished(() => rm(parent, { recursive: true }));
  const env = { PATH: inject('searchPath'), ENV_FILE: '/dev/null', PORT: '0', DATA_DIR: path.join(parent, 'data') };
  // A group of its own, as a terminal gives it one, to which it sends Ctrl-C.
  const npm = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const group = -(npm.pid ?? Number.NaN);
  const ended = once(npm, 'exit');
  onTestFinished(async () => {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(group, 'SIGTERM');
    await ended;
  });
  const said = new Map<string, string>();
  for await (const line of createInterface(npm.stdout)) {
    const [, key] = /^The first administrator's key, shown this once: (\S+)$/.exec(line) ?? [];
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (key) said.set('key', key);
    if (url) said.set('url', url);
    if (url) break;
  }

  const response = await fetch(`${said.get('url')}/v1/ping`, { headers: { 'x-api-key': said.get('key') ?? '' } });
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);

  process.kill(group, 'SIGINT');
  expect(await ended).toEqual([0, null]);
});
