import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isOutage } from '../src/errors.ts';
import { openPool, prewarm } from '../src/pool.ts';
import { inTransaction } from '../src/transaction.ts';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

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

  it('are refused as unavailable once the pool is closed', async () => {
    const pool = openPool(database.url);
    await pool.end();
    expect(isOutage(await pool.connect().catch((problem: unknown) => problem))).toBe(true);
  });

  it('that are not answered in time are unavailable', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const address = silent.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    const url = `postgresql://nobody@127.0.0.1:${address.port}/none`;
    const connecting = inTransaction(
      { url, connectTimeoutMs: 50, signal: new AbortController().signal },
      async () => 'connected',
    );
    expect(isOutage(await connecting.catch((problem: unknown) => problem))).toBe(true);
  });

  it('that cannot be opened reject nothing', async () => {
    const pool = openPool(database.url.replace(/:\d+\//, ':1/'));
    onTestFinished(() => pool.end());

    await prewarm(pool);

    expect(pool.totalCount).toBe(0);
  });
});
