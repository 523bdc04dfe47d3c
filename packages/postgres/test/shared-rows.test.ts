// What `queryJson` reads on a shared connection is small: more is made on a connection of the pool.
import { expect, it, onTestFinished } from 'vitest';
import { openPipelinedPool, openPool } from '../src/pool.ts';
import { queryJson, quickBytesMax, RawConnection } from '../src/sql.ts';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

it.each([
  [quickBytesMax / 2, true],
  [quickBytesMax * 2, false],
])('whether a row of %i bytes is made on the shared connection: %j', async (bytes, isShared) => {
  const connection = openPool(database.url);
  const pipelinedPool = openPipelinedPool(database.url, { connectionCount: 1 });
  onTestFinished(async () => void (await Promise.all([connection.end(), pipelinedPool.close()])));
  const pid = { text: 'SELECT pg_backend_pid() AS pid', values: [] };
  const shared = (await pipelinedPool.query<{ pid: number }>(pid)).rows[0]?.pid;
  const rows = { left: () => 10 * quickBytesMax, took: () => undefined, onTooMany: () => new Error('too many') };

  const [row] = await queryJson<{ pid: number; text: string }>(new RawConnection({ connection, pipelinedPool, rows }), {
    text: `SELECT pg_backend_pid() AS pid, repeat('x', $1::int) AS text`,
    values: [bytes],
    pipelined: true,
  });

  expect([row?.text.length, row?.pid === shared]).toEqual([bytes, isShared]);
});
