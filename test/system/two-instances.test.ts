import { setTimeout as delay } from 'node:timers/promises';
import { openDatabaseProxy } from '@service/postgres/testing/database-proxy';
import { createClient } from 'graphql-ws';
import supertest from 'supertest';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { databaseForTest } from '../support/database.ts';
import { freePort, type ServiceProcess, startProcess } from '../support/process.ts';
import { adminKey } from '../support/server.ts';
import { startProxy } from './proxies/nginx.ts';

// Ten seconds on an idle machine, most of which the instances take to start.
vi.setConfig({ testTimeout: 120_000 });

const readers = 4;
const writers = 2;
const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
const programs = '/v1/api/academics/programs';
const created = z.object({ id: z.int() });

/** Reads and writes until stopped. */
function startLoad(url: string) {
  let stopped = false;
  let reads = 0;
  let writes = 0;
  const failures: string[] = [];
  const written = new Map<string, number>();

  const read = async (): Promise<void> => {
    while (!stopped) {
      reads += 1;
      // The page differs each time: a cached response would need no database.
      const target = [`${programs}?size=10&page=${reads}`, `${programs}/1`, `/graphql?query={program(id:1){id,name}}`][
        reads % 3
      ];
      const response = await fetch(url + target, { headers }).catch(String);
      const text = typeof response === 'string' ? response : await response.text().catch(String);
      if (typeof response === 'string' || response.status !== 200 || !text.startsWith('{'))
        failures.push(`${target}: ${text}`);
    }
  };

  const write = async (): Promise<void> => {
    while (!stopped) {
      writes += 1;
      const name = `program-${writes}`;
      const body = JSON.stringify({ name, duration: '4 Years' });
      for (;;) {
        const sent = fetch(url + programs, { method: 'POST', headers: { ...headers, 'idempotency-key': name }, body });
        const response = await sent.catch(() => undefined);
        if (response?.status === 201) {
          written.set(name, created.parse(await response.json()).id);
          break;
        }
        await delay(50);
      }
    }
  };

  const working = [...Array.from({ length: readers }, read), ...Array.from({ length: writers }, write)];
  return {
    failures,
    written,
    writes: () => writes,
    /** Waits for that many more reads. */
    waitForReads: async (more: number): Promise<void> => {
      const enough = reads + more;
      await vi.waitFor(() => expect(reads).toBeGreaterThan(enough), 20_000);
    },
    stop: async (): Promise<void> => {
      stopped = true;
      await Promise.all(working);
    },
  };
}

it('fails no read and does each write once while one instance is killed and another is stopped', async () => {
  const database = await databaseForTest();
  await database.query(`INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years')`);
  const [port, first, second] = [await freePort(), await freePort(), await freePort()];
  const start = async (at: number): Promise<ServiceProcess> => {
    const service = startProcess({ PORT: String(at), DATABASE_URL: database.url, TRUSTED_PROXY_HOPS: '1' });
    await service.url;
    return service;
  };
  const [killed, stopped] = await Promise.all([start(first), start(second)]);
  const proxy = await startProxy(port, [first, second]);
  const load = startLoad(proxy.url);
  await load.waitForReads(150);

  killed.child.kill('SIGKILL');
  await killed.ended;
  await load.waitForReads(150);
  await start(first);
  const before = (await proxy.requests()).length;
  await vi.waitFor(async () => {
    const since = (await proxy.requests()).slice(before);
    expect(since).toContainEqual({ ports: [first], statuses: ['200'] });
  }, 10_000);
  stopped.child.kill('SIGTERM');
  expect(await stopped.ended).toBe(0);
  await load.waitForReads(150);
  await load.stop();

  expect(load.failures).toEqual([]);
  const rows = await database.query(`SELECT name, id FROM programs WHERE name <> 'Physics' ORDER BY id`);
  const byId = ([, one]: [string, number], [, other]: [string, number]) => one - other;
  expect(rows.map(({ name, id }) => [name, id])).toEqual([...load.written].sort(byId));
  expect(load.written.size).toBe(load.writes());
  // The proxy retried on the other instance.
  const upstreams = await proxy.requests();
  const success = expect.stringMatching(/^20[01]$/);
  expect(upstreams).toContainEqual({ ports: [first, second], statuses: ['502', success] });
  expect(upstreams).toContainEqual({ ports: [second, first], statuses: [expect.any(String), success] });
});

it('routes requests to an instance again once it is ready, although it has sent 503', async () => {
  const database = await databaseForTest();
  const wire = await openDatabaseProxy(database.url);
  onTestFinished(() => wire.close());
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()] as const;
  const instances = ports.map((at) => startProcess({ PORT: String(at), DATABASE_URL: wire.url, LOG_LEVEL: 'silent' }));
  const urls = await Promise.all(instances.map((instance) => instance.url));
  const proxy = await startProxy(port, ports);
  const readyzStatus = async (url: string): Promise<number> => (await fetch(`${url}/readyz`, { headers })).status;

  await wire.cut();
  await vi.waitFor(async () => expect(await Promise.all(urls.map(readyzStatus))).toEqual([503, 503]), 20_000);
  for (const _ of [1, 2, 3, 4, 5, 6]) expect(await readyzStatus(proxy.url)).toBe(503);
  // Each request has reached an instance; otherwise nginx logs no port.
  const met = (await proxy.requests()).flatMap((request) => request.ports);
  expect(new Set(met)).toEqual(new Set(ports));
  await wire.restore();
  await vi.waitFor(async () => expect(await Promise.all(urls.map(readyzStatus))).toEqual([200, 200]), 20_000);

  expect(await readyzStatus(proxy.url)).toBe(200);
});

it('passes WebSockets on, and serves any other upgrade as a plain request', async () => {
  const database = await databaseForTest();
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()] as const;
  await Promise.all(ports.map((at) => startProcess({ PORT: String(at), DATABASE_URL: database.url }).url));
  const { url } = await startProxy(port, ports);
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'x-api-key': adminKey },
  });
  onTestFinished(async () => client.dispose());

  const { value } = await client.iterate({ query: '{ ping { status } }' }).next();
  expect(value).toEqual({ data: { ping: { status: 'ok' } } });
  const plain = await supertest(url).get('/livez').set({ connection: 'Upgrade', upgrade: 'h2c' });
  expect(plain.status).toBe(200);
});

it("responds with the service's own 503 body when no instance is running", async () => {
  const [port, first, second] = [await freePort(), await freePort(), await freePort()];
  const { url } = await startProxy(port, [first, second]);

  for (const idempotency of [{}, { 'idempotency-key': 'once' }]) {
    const rest = await fetch(url + programs, { method: 'POST', headers: idempotency, body: '{}' });
    expect([rest.status, rest.headers.get('retry-after'), rest.headers.get('content-type')]).toEqual([
      503,
      '2',
      'application/json',
    ]);
    expect(await rest.json()).toEqual({ message: 'The service is temporarily unavailable. Please try again.' });
  }
  const graphql = await fetch(`${url}/graphql`, { method: 'POST', body: '{}' });
  expect(await graphql.json()).toEqual({
    errors: [
      { message: 'The service is temporarily unavailable. Please try again.', extensions: { code: 'UNAVAILABLE' } },
    ],
  });
});
