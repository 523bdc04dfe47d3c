import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPool, prewarm } from '../src/pool.ts';
import { createDatabase, type TestDatabase } from './support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.close());

describe('pool connections', () => {
  it('stay open when idle, but additional ones are closed', async () => {
    const pool = openPool(database.url, { idleTimeoutMillis: 20 });
    onTestFinished(() => pool.end());
    await prewarm(pool);
    expect(pool.idleCount).toBe(4);
    const taken = await Promise.all(Array.from({ length: 7 }, () => pool.connect()));
    for (const one of taken) one.release();
    expect(pool.idleCount).toBe(7);

    await vi.waitFor(() => expect(pool.totalCount).toBe(4), 20_000);
  });

  it('that cannot be opened reject nothing', async () => {
    const pool = openPool(database.url.replace(/:\d+\//, ':1/'));
    onTestFinished(() => pool.end());

    await prewarm(pool);

    expect(pool.totalCount).toBe(0);
  });
});
