import { openPool, prewarm } from '@service/postgres/pool';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { within } from '../support/running-time.ts';
import { startTestServer } from '../support/server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const connections = async (): Promise<unknown> => {
  const [row] = await database.query(`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'academic-structure-service'`);
  return row?.['count'];
};

describe('pool connections', () => {
  it('are open before the first request', async () => {
    const server = await startTestServer({}, database);
    onTestFinished(() => server.close());

    // Four in the pool, and two pipelined ones; on a busy machine a background statement may open another.
    expect(await connections()).toBeGreaterThanOrEqual(6);
  });

  it('stay open when idle, but additional ones are closed', async () => {
    const pool = openPool(database.url, { idleTimeoutMillis: 20 });
    onTestFinished(() => pool.end());
    await prewarm(pool);
    expect(pool.idleCount).toBe(4);
    const taken = await Promise.all(Array.from({ length: 7 }, () => pool.connect()));
    for (const one of taken) one.release();
    expect(pool.idleCount).toBe(7);

    await within(5_000, () => expect(pool.totalCount).toBe(4), 5);
  });

  it('that cannot be opened do not prevent the start', async () => {
    const pool = openPool(database.url.replace(/:\d+\//, ':1/'));
    onTestFinished(() => pool.end());

    await prewarm(pool);

    expect(pool.totalCount).toBe(0);
  });
});
