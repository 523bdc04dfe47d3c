import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { batchedStatement } from '../src/batched-statement.ts';
import { isOutage } from '../src/errors.ts';
import { openGroupCommit, type RunInGroupCommit } from '../src/group-commit.ts';
import { openPool } from '../src/pool.ts';
import type { RawConnection } from '../src/sql.ts';
import { useDatabase } from './support/database.ts';
import { lockTable } from './support/table-lock.ts';

/** Inserts a number, which must not be negative. */
const note = batchedStatement<number, { readonly number: number }, number>({
  name: 'note',
  ctes: `WITH noted AS (
    INSERT INTO notes SELECT * FROM json_to_recordset($1::json) AS input (number int) RETURNING number
  )`,
  text: 'SELECT number FROM noted ORDER BY number',
  values: (numbers) => [JSON.stringify(numbers.map((number) => ({ number })))],
  results: (rows) => rows.map(({ number }) => number),
});

const database = useDatabase();
let pool: Pool;
beforeAll(async () => {
  await database.query('CREATE TABLE notes (number int CHECK (number >= 0))');
  pool = openPool(database.url);
});
afterAll(async () => {
  await pool.end();
});
let sent: string[];
let run: RunInGroupCommit;
beforeEach(async () => {
  await database.query('TRUNCATE notes');
  sent = [];
  const onStatement = (sql: string) => sent.push(sql.trim().split(/[\s(]/, 1).join(''));
  run = openGroupCommit({ pool, onStatement, stallMs: 10_000 });
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const runGroupable = <Result>(work: (tx: RawConnection) => Promise<Result>) => run(work, { groupable: true });
const noteOne = (number: number): Promise<number> => runGroupable((tx) => note(tx, number));
const noted = async () =>
  (await database.query('SELECT number FROM notes ORDER BY number')).map((row) => row['number']);

describe('concurrent work', () => {
  it('shares one transaction and one statement', async () => {
    expect(await Promise.all(numbers(20).map(noteOne))).toEqual(numbers(20));

    expect(sent).toEqual(['BEGIN', 'WITH', 'COMMIT']);
    expect(await noted()).toEqual(numbers(20));
  });

  it('is split into several transactions beyond the size limit', async () => {
    expect(await Promise.all(numbers(100).map(noteOne))).toEqual(numbers(100));

    expect(sent.filter((statement) => statement === 'COMMIT')).toHaveLength(4);
    expect(await noted()).toEqual(numbers(100));
  });

  it('gets a transaction each when it is not groupable', async () => {
    await Promise.all(numbers(5).map((number) => run((tx) => note(tx, number), { groupable: false })));

    expect(sent.filter((statement) => statement === 'COMMIT')).toHaveLength(5);
    expect(await noted()).toEqual(numbers(5));
  });

  it('runs in the async context of its caller', async () => {
    const asker = new AsyncLocalStorage<number>();
    const seen = numbers(10).map((number) =>
      asker.run(number, () =>
        runGroupable(async (tx) => {
          const before = asker.getStore();
          await note(tx, number);
          return [before, asker.getStore()];
        }),
      ),
    );

    expect(await Promise.all(seen)).toEqual(numbers(10).map((number) => [number, number]));
  });
});

describe('failing work', () => {
  it('with an SQL error does not affect the others', async () => {
    const outcomes = await Promise.allSettled([3, -1, 4, -2, 5].map(noteOne));

    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await noted()).toEqual([3, 4, 5]);
  });

  it('that throws after writing is rolled back without affecting the others', async () => {
    const failing = runGroupable(async (tx) => {
      await note(tx, 1);
      throw new Error('Thought better of it.');
    });
    const outcomes = await Promise.allSettled([noteOne(0), failing, noteOne(2)]);

    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 0 },
      { status: 'rejected', reason: new Error('Thought better of it.') },
      { status: 'fulfilled', value: 2 },
    ]);
    expect(await noted()).toEqual([0, 2]);
  });

  it('is not retried when it is alone', async () => {
    let times = 0;
    const failing = runGroupable(async (tx) => {
      times += 1;
      await note(tx, -1);
    });

    await expect(failing).rejects.toThrow('notes_number_check');
    expect(times).toBe(1);
    expect(sent).toEqual(['BEGIN', 'WITH', 'ROLLBACK']);
  });

  it('rejects even if it ignored the error of a statement', async () => {
    const careless = runGroupable(async (tx) => {
      await note(tx, 1);
      await note(tx, -1).catch(() => undefined);
    });

    await expect(careless).rejects.toThrow('The transaction was rolled back at COMMIT');
    expect(await noted()).toEqual([]);
    expect(await noteOne(2)).toBe(2);
  });
});

describe('a database failure', () => {
  it('during a shared transaction fails all participants, without a retry', async () => {
    const lock = await lockTable(database, 'notes');
    let times = 0;
    const all = numbers(5).map((number) =>
      runGroupable(async (tx) => {
        times += 1;
        await note(tx, number);
      }),
    );
    const ended = Promise.allSettled(all);
    await lock.waitUntilBlocking();
    await lock.terminateBlocked();

    for (const outcome of await ended) {
      expect(outcome.status).toBe('rejected');
      expect(outcome.status === 'rejected' && isOutage(outcome.reason)).toBe(true);
    }
    expect(times).toBe(5);
    await lock.release();
    expect(await noteOne(7)).toBe(7);
    expect(await noted()).toEqual([7]);
  });

  it('to connect fails all waiting work', async () => {
    const elsewhere = openPool(database.url.replace(/:\d+\//, ':1/'));
    onTestFinished(() => elsewhere.end());
    const nowhere = openGroupCommit({ pool: elsewhere });

    const outcomes = await Promise.allSettled(
      numbers(40).map((number) => nowhere((tx) => note(tx, number), { groupable: true })),
    );

    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && isOutage(outcome.reason)).toBe(true);
    }
  });
});

it('does not wait for a blocked transaction', async () => {
  await database.query('CREATE TABLE IF NOT EXISTS slow_notes (number int)');
  const noteSlowly = batchedStatement<number, { readonly number: number }, void>({
    ctes: 'WITH noted AS (INSERT INTO slow_notes VALUES ($1::int) RETURNING number)',
    text: 'SELECT number FROM noted',
    values: ([number]) => [number],
    results: () => [undefined],
  });
  run = openGroupCommit({ pool });
  const lock = await lockTable(database, 'slow_notes');
  const slow = [runGroupable((tx) => noteSlowly(tx, 1)), runGroupable((tx) => noteSlowly(tx, 2))];
  await lock.waitUntilBlocking();

  for (const number of numbers(5)) expect(await noteOne(number)).toBe(number);

  await lock.release();
  await Promise.all(slow);
});
