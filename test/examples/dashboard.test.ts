import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { openDatabaseProxy } from '@service/postgres/testing/database-proxy';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ChangesDocument, ScreenDocument } from '../../examples/dashboard/generated/operations.ts';
import { query, subscribe } from '../../examples/dashboard/service.ts';
import { openFaultyProxy } from '../support/faulty-proxy.ts';
import { adminKey, useServer } from '../support/server.ts';

const run = promisify(execFile);
const main = ['--import', 'tsx', 'examples/dashboard/main.ts'];

const server = useServer();
beforeAll(async () => {
  const arts = await server.make.program({ name: 'Bachelor of Arts', duration: '3 Years' });
  await server.make.branch(arts.id, { name: 'History', codePrefix: 'H', codeIsNumeric: false });
  await server.make.program({ name: 'Master of Arts', duration: '2 Years' });
  await server.make.program({ name: 'Bachelor of Laws', duration: '3 Years' });
});

const dashboard = (options: readonly string[], env: object = {}) =>
  run(process.execPath, [...main, ...options], { env: { KEY: adminKey, BASE_URL: server.url, ...env } });

/** The screen content without values that differ between runs. */
const steady = (text: string): string => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'at some time');

describe('the dashboard', () => {
  it('shows numbers, a page of programs and the last changes', async () => {
    const { stdout } = await dashboard(['--first', '2']);
    const [screen = '', cursor = ''] = stdout.trim().split('There is more: --after ');

    expect(steady(screen)).toBe(`Programs 3 · Branches 1 · Years 3

── Programs by duration ──────────────────────────────────────────────────────
3 Years                             2 ████████████████████████
2 Years                             1 ████████████

── Programs by name ──────────────────────────────────────────────────────────
Bachelor of Arts                                     3 Years
    History                                          HA HB HC
Bachelor of Laws                                     3 Years

── Changed last ──────────────────────────────────────────────────────────────
at some time  Bachelor of Laws
at some time  Master of Arts
at some time  History (Bachelor of Arts)
at some time  Bachelor of Arts

`);
    expect((await dashboard(['--after', cursor])).stdout).toContain(
      '─\nMaster of Arts                                       2 Years\n\n─',
    );
  });

  it.each([
    ['a key is not good', { KEY: 'nonsense' }, 'API key is invalid.\n'],
    ['nothing listens', { BASE_URL: 'http://127.0.0.1:1' }, 'The connection to http://127.0.0.1:1 failed.\n'],
  ])('reports when %s', async (_what, env, stderr) => {
    await expect(dashboard([], env)).rejects.toMatchObject({ code: 1, stderr });
  });

  it('queries again after a cut connection, a rate limit or a page of a proxy', async () => {
    const service = { url: await openFaultyProxy(server.url, 2), key: adminKey };
    for (let at = 0; at < 7; at += 1) {
      const { catalogStats } = await query(service, ScreenDocument, { first: 1 });
      expect(catalogStats.programs).toBe(3);
    }
  });

  it('follows on after a page of a proxy', async () => {
    const change = 'event: next\nid: 1\ndata: {"data":{"catalogChanged":{"action":"RELOAD"}}}\n\n';
    const responses: [number, string][] = [
      [200, change],
      [502, '<title>Bad gateway</title>'],
      [200, `${change}event: complete\ndata: \n\n`],
    ];
    const proxy = createServer((_request, response) => {
      const [status, body] = responses.shift() ?? [404, ''];
      response.writeHead(status).end(body);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const actions: string[] = [];
    for await (const { catalogChanged } of subscribe({ url, key: '' }, ChangesDocument, {}, () => undefined))
      actions.push(catalogChanged.action);

    expect(actions).toEqual(['RELOAD', 'RELOAD']);
  });

  it('shows changes, also after a broken connection', async () => {
    const wire = await openDatabaseProxy(server.url);
    onTestFinished(() => wire.close());
    const env = { KEY: adminKey, BASE_URL: new URL(wire.url).origin };
    const child = spawn(process.execPath, [...main, '--follow'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const next = linesOf(child);

    while ((await next()) !== 'Following; Ctrl-C ends it.');
    await server.make.program({ name: 'Seen' });
    expect(steady(await next())).toBe('at some time  create   Seen');

    await wire.cut();
    await server.make.program({ name: 'Missed' });
    await wire.restore();
    expect(steady(await next())).toBe('at some time  create   Missed');

    child.kill('SIGINT');
    await once(child, 'exit');
  });
});

/** Reads the output of a process line by line. */
function linesOf({ stdout }: ChildProcess): () => Promise<string> {
  if (stdout === null) throw new Error('The process has no standard output.');
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  return async () => {
    const { done, value } = await lines.next();
    if (done) throw new Error('The process has ended.');
    return value;
  };
}
