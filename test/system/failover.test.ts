import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { addressOf, databaseAt, type ReplicatedServers, startReplicated } from '../database/outages/replication.ts';
import { subscribe } from '../support/event-stream.ts';
import { adminKey, serverForTest, type TestServer } from '../support/server.ts';
import { makeCertificate } from './proxies/certificate.ts';
import { startPgBouncer } from './proxies/pgbouncer.ts';

vi.setConfig({ testTimeout: 180_000 });

const soon = { timeout: 30_000, interval: 10 };
/** From the promotion of a standby to the first create, and to readiness. */
const backWithinMs = 2_000;
const writers = 4;
const readers = 2;

const readWrite = '?target_session_attrs=read-write';
const programs = '/v1/api/academics/programs';
const program = z.object({ id: z.int(), name: z.string() });
const page = z.object({ count: z.int() });

const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
const keyed = (key: string) => ({ method: 'POST', headers: { ...headers, 'idempotency-key': key } });

async function replicated(options: { readonly synchronous: boolean }): Promise<ReplicatedServers> {
  const servers = await startReplicated(options);
  onTestFinished(servers.close);
  return servers;
}

async function start(...address: Parameters<typeof addressOf>): Promise<TestServer> {
  const server = await serverForTest({ LOG_LEVEL: 'warn' }, databaseAt(...address));
  return server;
}

/** Starts a PgBouncer for each server, with TLS and a name of its own; returns the address of both. */
async function pooled({ primary, standby }: ReplicatedServers): Promise<string> {
  const [one, other] = [await makeCertificate('DNS:localhost'), await makeCertificate('IP:127.0.0.1')];
  const first = new URL(await startPgBouncer(addressOf([primary]), 'transaction', one));
  const second = new URL(await startPgBouncer(addressOf([standby]), 'transaction', other));
  await appendFile(one.certificate, await readFile(other.certificate));
  const hosts = `localhost:${first.port},127.0.0.1:${second.port}`;
  return `postgresql://postgres@${hosts}${first.pathname}${readWrite}&sslmode=verify-full&sslrootcert=${one.certificate}`;
}

/** Each create is repeated under its key until it is acknowledged; what was acknowledged is read again. */
function startLoad({ url }: TestServer) {
  const acknowledged = new Map<string, number>();
  const stale: string[] = [];
  let stopped = false;
  let reads = 0;
  let failures = 0;
  let lastAt = 0;

  const send = async (path: string, init: RequestInit = {}): Promise<[status: number, body: unknown]> => {
    const response = await fetch(url + path, { headers, ...init });
    return [response.status, await response.json()];
  };

  const write = async (writer: number): Promise<void> => {
    for (let count = 0; !stopped; count += 1) {
      const name = `${writer}-${count}`;
      const body = JSON.stringify({ name, duration: '4 Years' });
      while (!stopped && !acknowledged.has(name)) {
        const [status, created] = await send(programs, { ...keyed(name), body });
        if (status === 201) {
          acknowledged.set(name, program.parse(created).id);
          lastAt = performance.now();
        } else {
          failures += 1;
          await delay(10);
        }
      }
    }
  };

  const read = async (): Promise<void> => {
    while (!stopped) {
      const known = acknowledged.size;
      const last = [...acknowledged].at(-1);
      if (last === undefined) {
        await delay(10);
        continue;
      }
      const [name, id] = last;
      const [status, body] = await send(`${programs}/${id}`);
      if (status !== 503 && program.safeParse(body).data?.name !== name) stale.push(`${name}: ${status}`);
      const [listStatus, list] = await send(`${programs}?size=1`);
      if (listStatus === 200 && page.parse(list).count < known) stale.push(`a count below ${known}`);
      if (status === 200) reads += 1;
      if (status === 503) await delay(10);
    }
  };

  const working = [
    ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ...Array.from({ length: readers }, read),
  ];
  const more = (what: () => number, count: number): Promise<void> => {
    const enough = what() + count;
    return vi.waitFor(() => expect(what()).toBeGreaterThanOrEqual(enough), soon);
  };
  return {
    acknowledged,
    stale,
    moreCreates: (count: number) => more(() => acknowledged.size, count),
    moreReads: (count: number) => more(() => reads, count),
    moreFailures: (count: number) => more(() => failures, count),
    lastAt: () => lastAt,
    stop: async (): Promise<void> => {
      stopped = true;
      await Promise.all(working);
    },
  };
}

it.each([
  ['killed', 'behind a PgBouncer on each host, over TLS'],
  ['frozen', 'directly'],
])(
  'loses no create, doubles none and shows nothing stale when the primary is %s and its synchronous standby promoted (%s)',
  async (what, how) => {
    const servers = await replicated({ synchronous: true });
    const { primary, standby } = servers;
    const url = how === 'directly' ? addressOf([primary, standby], readWrite) : await pooled(servers);
    const server = await serverForTest({ LOG_LEVEL: 'warn' }, { ...databaseAt([primary]), url });
    const load = startLoad(server);
    await load.moreCreates(100);
    await load.moreReads(20);

    await (what === 'killed' ? primary.kill() : primary.freeze());
    await load.moreFailures(writers);
    await standby.promote();
    const promotedAt = performance.now();
    await load.moreCreates(1);
    const goneForMs = load.lastAt() - promotedAt;
    // It does not know that there is another primary.
    await primary.thaw();
    await load.moreCreates(100);
    await load.moreReads(20);
    await load.stop();

    expect(load.stale).toEqual([]);
    const rows = await standby.query('SELECT name, array_agg(id) AS ids FROM programs GROUP BY name');
    const idsByName = new Map(rows.map(({ name, ids }) => [name, ids]));
    expect([...load.acknowledged].filter(([name, id]) => String(idsByName.get(name)) !== String(id))).toEqual([]);
    expect(rows.filter(({ ids }) => !Array.isArray(ids) || ids.length !== 1)).toEqual([]);
    expect(goneForMs).toBeLessThan(backWithinMs);
  },
);

it('on a standby is not ready within two seconds of its start, and ready within two seconds of the promotion', async () => {
  const { primary, standby } = await replicated({ synchronous: true });
  // It migrates.
  await start([primary]);
  await vi.waitFor(async () => expect(await standby.query('SELECT 1 FROM api_keys')).toHaveLength(1), soon);
  const server = await start([standby]);
  const ready = async (): Promise<[number, string]> => {
    const response = await fetch(`${server.url}/readyz`);
    return [response.status, await response.text()];
  };

  const startedAt = performance.now();
  await vi.waitFor(async () => expect(await ready()).toEqual([503, expect.stringContaining('read-only')]), soon);
  expect(performance.now() - startedAt).toBeLessThan(backWithinMs);
  await primary.kill();
  await standby.promote();
  const promotedAt = performance.now();
  await vi.waitFor(async () => expect((await ready())[0]).toBe(200), soon);
  expect(performance.now() - promotedAt).toBeLessThan(backWithinMs);
});

it('sends each subscriber one RELOAD, and every later change, when an asynchronous standby has lost commits', async () => {
  const { primary, standby } = await replicated({ synchronous: false });
  const server = await start([primary, standby], readWrite);
  const create = async (name: string): Promise<void> => {
    const request = () => server.rest('post', '/api/academics/programs').send({ name, duration: '4 Years' });
    await vi.waitFor(async () => expect((await request()).status).toBe(201), soon);
  };
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => subscribe(server, 'subscription { catalogChanged { action program { name } } }')),
  );
  await create('kept');
  const kept = `SELECT 1 FROM programs WHERE name = 'kept'`;
  await vi.waitFor(async () => expect(await standby.query(kept)).toHaveLength(1), soon);
  await standby.query(`ALTER SYSTEM SET primary_conninfo = ''`);
  await standby.query('SELECT pg_reload_conf()');
  await vi.waitFor(async () => expect(await primary.query('SELECT FROM pg_stat_replication')).toEqual([]), soon);
  await create('lost');
  await create('lost, too');
  const created = (name: string) => ({ data: { catalogChanged: { action: 'CREATE', program: { name } } } });
  for (const stream of streams) {
    for (const name of ['kept', 'lost', 'lost, too']) expect(await stream.result()).toEqual(created(name));
  }

  await primary.kill();
  await standby.promote();
  await vi.waitFor(
    () => expect(server.logged.some((line) => line.includes('a standby was promoted'))).toBe(true),
    soon,
  );
  await create('after');
  await create('long after');

  for (const stream of streams) {
    expect(await stream.result()).toEqual({ data: { catalogChanged: { action: 'RELOAD', program: null } } });
    for (const name of ['after', 'long after']) expect(await stream.result()).toEqual(created(name));
  }
  const { body } = await server.graphql('{ programs { items { name } } }');
  expect(body.data.programs.items).toEqual(['kept', 'after', 'long after'].map((name) => ({ name })));
});
