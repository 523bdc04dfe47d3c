import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isOutage } from '../src/errors.ts';
import { openPipelinedPool, type PipelinedPool } from '../src/pool.ts';
import { useDatabase } from './support/database.ts';
import { type DatabaseProxy, openDatabaseProxy } from './support/database-proxy.ts';

const database = useDatabase();
let proxy: DatabaseProxy;
beforeAll(async () => {
  proxy = await openDatabaseProxy(database.url);
});
beforeEach(() => proxy.restore());
afterAll(async () => {
  await proxy.close();
});

function opened(): PipelinedPool {
  const pipelinedPool = openPipelinedPool(proxy.url);
  onTestFinished(() => pipelinedPool.close());
  return pipelinedPool;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const select = async (pipelinedPool: PipelinedPool, number: number): Promise<number | undefined> => {
  const { rows } = await pipelinedPool.query<{ n: number }>({
    name: 'n',
    text: 'SELECT $1::int AS n',
    values: [number],
  });
  return rows[0]?.n;
};
const ended = (promises: readonly Promise<unknown>[]) =>
  Promise.all(
    promises.map((promise) =>
      promise.then(
        () => 'done',
        (problem: unknown) => problem,
      ),
    ),
  );

describe('the pipelined pool', () => {
  it('returns the result of each statement, on two connections', async () => {
    const pipelinedPool = opened();
    const inputs = numbers(500);
    expect(await Promise.all(inputs.map((number) => select(pipelinedPool, number)))).toEqual(inputs);
    expect(proxy.connections).toBe(2);
  });

  it('fails only the invalid statement', async () => {
    const pipelinedPool = opened();
    const wrong = pipelinedPool.query({ name: 'wrong', text: 'SELECT 1 / $1::int AS n', values: [0] });
    const [problem, ...others] = await ended([wrong, ...numbers(10).map((number) => select(pipelinedPool, number))]);
    expect(problem).toMatchObject({ code: '22012' });
    expect(others).toEqual(numbers(10).map(() => 'done'));
  });

  it('does not queue fast statements behind slow ones', async () => {
    const pipelinedPool = opened();
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(1)');
    const slow = pipelinedPool.query({ name: 'slow', text: 'SELECT pg_advisory_xact_lock(1)', values: [] });
    for (const number of numbers(5)) expect(await select(pipelinedPool, number)).toBe(number);
    await holder.end();
    await slow;
  });

  it('fails in-flight statements as unavailable when a connection breaks, and reconnects', async () => {
    const pipelinedPool = opened();
    await Promise.all(numbers(4).map((number) => select(pipelinedPool, number)));
    const inFlight = numbers(4).map(() =>
      pipelinedPool.query({ name: 'long', text: 'SELECT pg_sleep(30)', values: [] }),
    );
    const failed = ended(inFlight);
    proxy.reset();
    for (const problem of await failed) expect(isOutage(problem)).toBe(true);
    expect(await select(pipelinedPool, 7)).toBe(7);
  });

  it('recovers from a broken connection under constant load', async () => {
    const pipelinedPool = opened();
    const results: unknown[] = [];
    let isRunning = true;
    const client = async (): Promise<void> => {
      while (isRunning) results.push(await select(pipelinedPool, 1).catch((problem: unknown) => problem));
    };
    const clients = numbers(8).map(client);
    await vi.waitFor(() => expect(results.length).toBeGreaterThan(50), 20_000);
    proxy.reset();
    const before = results.length;
    await vi.waitFor(
      () => expect(results.slice(before).filter((answer) => answer === 1).length).toBeGreaterThan(50),
      20_000,
    );
    isRunning = false;
    await Promise.all(clients);
    for (const answer of results) expect(answer === 1 || isOutage(answer)).toBe(true);
  });

  it('fails a statement as unavailable that was sent behind the same one, whose preparation timed out', async () => {
    const pipelinedPool = opened();
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('CREATE TABLE locked (id integer)');
    await holder.query('BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE');
    const read = () => pipelinedPool.query({ name: 'locked', text: 'SELECT FROM locked', values: [] });

    for (const problem of await ended(numbers(4).map(read))) expect(isOutage(problem)).toBe(true);
    await holder.query('ROLLBACK');
    expect((await read()).rows).toEqual([]);
  });

  it('drops a connection that does not respond, even under load', async () => {
    const pipelinedPool = opened();
    await Promise.all(numbers(4).map((number) => select(pipelinedPool, number)));
    proxy.hang();
    const results = await ended(numbers(20).map((number) => select(pipelinedPool, number)));
    for (const problem of results) expect(isOutage(problem)).toBe(true);
    await proxy.restore();
    // On a busy machine, a first try to connect may take too long.
    await expect.poll(() => select(pipelinedPool, 7).catch(isOutage)).toBe(7);
  });
});
