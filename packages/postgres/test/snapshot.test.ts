import { describe, expect, it, onTestFinished } from 'vitest';
import { openPool } from '../src/pool.ts';
import { inSnapshot, queryJsonWithin } from '../src/snapshot.ts';
import { queryJson, RawConnection } from '../src/sql.ts';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

function open() {
  const pool = openPool(database.url);
  onTestFinished(() => pool.end());
  return new RawConnection({ connection: pool, connect: () => pool.connect() });
}

const slow = { text: 'SELECT pg_sleep(60)', values: [] };
const quick = { text: 'SELECT 1 AS one', values: [] };
const timeout = { text: `SELECT current_setting('statement_timeout') AS timeout`, values: [] };
const chosen = { ...timeout, text: `${timeout.text}, current_setting('enable_sort') AS sort` };

describe('a statement with a time of its own', () => {
  it('is given up after that, and returns its rows before', async () => {
    const db = open();
    expect(await queryJsonWithin(db, { timeoutMs: 20 }, slow)).toBeUndefined();
    expect(await queryJsonWithin(db, { timeoutMs: 2_000 }, quick)).toEqual([{ one: 1 }]);
    expect(await queryJson(db, timeout)).toEqual([{ timeout: '2s' }]);
  });

  it('leaves the transaction that it is part of as it was', async () => {
    const results = await inSnapshot(open(), async (tx) => [
      await queryJsonWithin(tx, { timeoutMs: 20 }, slow),
      await queryJsonWithin(tx, { timeoutMs: 500, settings: ['enable_sort = off'] }, chosen),
      await queryJson(tx, chosen),
    ]);
    expect(results).toEqual([undefined, [{ timeout: '500ms', sort: 'off' }], [{ timeout: '2s', sort: 'on' }]]);
  });

  it('fails as any other when it is wrong', async () => {
    await expect(queryJsonWithin(open(), { timeoutMs: 500 }, { text: 'SELECT nothing', values: [] })).rejects.toThrow(
      'nothing',
    );
  });
});
