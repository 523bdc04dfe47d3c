import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { withConnection } from '../src/connection.ts';
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

  it('that the server ends in the packet that accepts them are unavailable, and end nothing else', async () => {
    const message = (type: string, ...fields: readonly string[]): Buffer => {
      const content = Buffer.from(fields.join(''), 'latin1');
      const head = Buffer.from(`${type}0000`);
      head.writeInt32BE(content.length + 4, 1);
      return Buffer.concat([head, content]);
    };
    const accepted = [message('R', '\0\0\0\0'), message('Z', 'I')];
    const ended = message('E', 'SFATAL\0', 'VFATAL\0', 'C57P01\0', 'Mterminating connection\0', '\0');
    const ending = createServer((socket) => {
      socket.once('data', () => socket.end(Buffer.concat([...accepted, ended])));
    }).listen(0, '127.0.0.1');
    await once(ending, 'listening');
    onTestFinished(() => void ending.close());
    const unheard: unknown[] = [];
    const listen = (problem: unknown): void => void unheard.push(problem);
    process.on('uncaughtException', listen);
    onTestFinished(() => void process.off('uncaughtException', listen));
    const address = ending.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    const url = `postgresql://nobody@127.0.0.1:${address.port}/none?sslmode=disable`;
    const pool = openPool(url);
    onTestFinished(() => pool.end());

    expect(isOutage(await pool.connect().catch((problem: unknown) => problem))).toBe(true);
    expect(isOutage(await withConnection(url, async () => 'connected').catch(({ cause }) => cause))).toBe(true);
    expect(unheard).toEqual([]);
  });

  it('that cannot be opened reject nothing', async () => {
    const pool = openPool(database.url.replace(/:\d+\//, ':1/'));
    onTestFinished(() => pool.end());

    await prewarm(pool);

    expect(pool.totalCount).toBe(0);
  });
});
