import { describe, expect, it, onTestFinished } from 'vitest';
import { openPipelinedPool, openPool } from '../src/pool.ts';
import { inTransaction } from '../src/transaction.ts';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

const addressWith = (parameter: string): string => {
  const address = new URL(database.url);
  const [name = '', value = ''] = parameter.split('=');
  address.searchParams.set(name, value);
  return address.href;
};

type Read = (url: string, sql: string) => Promise<unknown>;

const byPool: Read = async (url, sql) => {
  const pool = openPool(url);
  onTestFinished(() => pool.end());
  return (await pool.query(sql)).rows;
};
const byPipelinedPool: Read = async (url, text) => {
  const pool = openPipelinedPool(url);
  onTestFinished(() => pool.close());
  return (await pool.query({ text })).rows;
};
const inOneTransaction: Read = async (url, sql) =>
  (await inTransaction({ url, signal: new AbortController().signal }, (client) => client.query(sql))).rows;

const jit = `SELECT current_setting('jit') AS jit`;
const [on, off] = [[{ jit: 'on' }], [{ jit: 'off' }]];

describe("PostgreSQL's JIT compiler", () => {
  it.each([
    ['the pool', byPool],
    ['the pipelined pool', byPipelinedPool],
    ['a transaction', inOneTransaction],
  ])('is off for %s', async (_name, read) => {
    expect(await database.query(jit)).toEqual(on);
    expect(await read(database.url, jit)).toEqual(off);
  });

  it('is off on connections to a list of hosts', async () => {
    expect(await byPool(addressWith('target_session_attrs=read-write'), jit)).toEqual(off);
  });

  it('is off behind a pooler, for a transaction', async () => {
    expect(await inOneTransaction(addressWith('pgbouncer=true'), jit)).toEqual(off);
  });

  it('stays as it is for the other clients of a pooler', async () => {
    const pool = openPool(addressWith('pgbouncer=true'), { max: 1, connectionTimeoutMillis: 30_000 });
    onTestFinished(() => pool.end());
    await pool.query('BEGIN');
    expect((await pool.query(jit)).rows).toEqual(off);
    await pool.query('COMMIT');
    expect((await pool.query(jit)).rows).toEqual(on);
  });
});
