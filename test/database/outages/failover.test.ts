import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { openPool } from '@service/postgres/pool';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { freePort } from '../../support/process.ts';
import { within } from '../../support/running-time.ts';
import { serverForTest } from '../../support/server.ts';
import { addressOf, databaseAt, type PostgresServer, startReplicated } from './replication.ts';

const readWrite = '?target_session_attrs=read-write';
const soonMs = 20_000;

function poolOf(address: string): Pool {
  const pool = openPool(parseConfig({ DATABASE_URL: address }).DATABASE_URL ?? '');
  onTestFinished(() => pool.end());
  return pool;
}

async function portOf(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ port: number }>('SELECT inet_server_port() AS port');
  return rows[0]?.port;
}

/** A host that accepts connections and never responds. */
async function startSilentHost(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('an address of several hosts', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    ({ primary, standby, close } = await startReplicated({ synchronous: false }));
  });
  afterAll(() => close());

  it.each(['read-write', 'primary'])(
    'with target_session_attrs=%s leads to the primary, in any order',
    async (target) => {
      for (const servers of [
        [primary, standby],
        [standby, primary],
      ]) {
        const pool = poolOf(addressOf(servers, `?target_session_attrs=${target}`));
        expect(new Set(await Promise.all([portOf(pool), portOf(pool), portOf(pool)]))).toEqual(new Set([primary.port]));
      }
    },
  );

  it('leads by default to the first that responds, even a standby', async () => {
    expect(await portOf(poolOf(addressOf([await freePort(), standby, primary])))).toBe(standby.port);
    expect(await portOf(poolOf(addressOf([primary, standby])))).toBe(primary.port);
  });

  it('passes over a host that is silent', async () => {
    const silent = await startSilentHost();
    expect(await portOf(poolOf(addressOf([silent, primary], readWrite)))).toBe(primary.port);
    const pool = poolOf(addressOf([silent, primary]));
    // The request that waited for it too long fails; the search goes on.
    await within(soonMs, async () => expect(await portOf(pool)).toBe(primary.port));
  });

  it('says of each host why it cannot be used', async () => {
    const pool = poolOf(addressOf([await freePort(), standby], readWrite));
    await expect(portOf(pool)).rejects.toMatchObject({
      code: '25006',
      message: expect.stringMatching(
        /^no host of the address can be used: 1\. connect ECONNREFUSED; 2\. it is a read-only standby$/,
      ),
    });
    const nowhere = poolOf(addressOf([await freePort(), await freePort()]));
    await expect(portOf(nowhere)).rejects.toMatchObject({ code: '08001' });
  });

  it('does not lead to a primary whose sessions are read-only', async () => {
    await primary.query('ALTER DATABASE academic_structure SET default_transaction_read_only = on', 'postgres');
    onTestFinished(async () => {
      await primary.query('ALTER DATABASE academic_structure RESET default_transaction_read_only', 'postgres');
    });
    await expect(portOf(poolOf(addressOf([primary, standby], readWrite)))).rejects.toThrow(
      'its sessions are read-only',
    );
    expect(await portOf(poolOf(addressOf([standby, primary], '?target_session_attrs=primary')))).toBe(primary.port);
  });
});

it('a service on several hosts is read-only without a primary, logs that once, and is ready after a promotion', async () => {
  const { primary, standby, close } = await startReplicated({ synchronous: true });
  onTestFinished(close);
  const server = await serverForTest({}, databaseAt([primary, standby], readWrite));
  const create = () => server.rest('post', '/api/academics/programs').send({ name: 'Physics', duration: '4 Years' });
  const ready = async (): Promise<[number, string]> => {
    const response = await fetch(`${server.url}/readyz`);
    return [response.status, await response.text()];
  };
  expect((await create()).status).toBe(201);

  await primary.kill();
  await within(soonMs, async () => expect(await ready()).toEqual([503, expect.stringContaining('read-only')]));
  expect((await create()).status).toBe(503);
  await ready();
  await standby.promote();

  await within(soonMs, async () => expect((await ready())[0]).toBe(200));
  expect((await create()).body).toMatchObject({ name: 'Physics' });
  expect((await server.rest('get', '/api/academics/programs')).body.count).toBe(2);
  for (const line of ['the database is a read-only standby: ', 'the database takes writes again'])
    expect(server.logged.filter((logged) => logged.includes(line))).toHaveLength(1);
});
