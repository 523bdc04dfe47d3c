import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { withConnection } from '../src/connection.ts';
import { openPipelinedPool, openPool } from '../src/pool.ts';

import { sessionSettings } from '../src/session.ts';

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
const { signal } = new AbortController();
const inOneTransaction: Read = async (url, sql) =>
  (await inTransaction({ url, signal }, (client) => client.query(sql))).rows;
const inOneSnapshot: Read = async (url, sql) => {
  const mode = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
  return (await inTransaction({ url, mode, signal }, (client) => client.query(sql))).rows;
};
const atTheStart: Read = (url, sql) => withConnection(url, async (client) => (await client.query(sql)).rows);

const atStartup = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', standard_conforming_strings: 'on' };
const all = { ...sessionSettings, ...atStartup };

/** A setting of the database, which is that of its sessions by default. */
const others: Readonly<Record<keyof typeof all, string>> = {
  TimeZone: 'America/New_York',
  DateStyle: 'SQL, DMY',
  standard_conforming_strings: 'off',
  jit: 'on',
  default_transaction_isolation: 'serializable',
  extra_float_digits: '-15',
  bytea_output: 'escape',
  IntervalStyle: 'sql_standard',
  quote_all_identifiers: 'on',
  array_nulls: 'off',
};

const shown = (names: readonly string[]): string =>
  `SELECT ${names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ')}`;

describe('a session of a database that has other settings', () => {
  beforeAll(async () => {
    for (const [name, value] of Object.entries(others)) {
      await database.query(`DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET ${name} = ''${value}''', current_database()); END $$`);
    }
  });

  it.each([
    ['the pool', byPool],
    ['the pipelined pool', byPipelinedPool],
    ['a transaction', inOneTransaction],
    ['the start', atTheStart],
  ])('has those that statements and drivers rely on: of %s', async (_name, read) => {
    expect(await read(database.url, shown(Object.keys(all)))).toEqual([all]);
    expect(await read(addressWith('target_session_attrs=read-write'), shown(Object.keys(all)))).toEqual([all]);
  });

  it('has them behind a pooler, in a transaction', async () => {
    const behindPooler = addressWith('pgbouncer=true');
    expect(await inOneTransaction(behindPooler, shown(Object.keys(all)))).toEqual([all]);
    const isolation = shown(['transaction_isolation']);
    expect(await inOneTransaction(behindPooler, isolation)).toEqual([{ transaction_isolation: 'read committed' }]);
    expect(await inOneSnapshot(behindPooler, isolation)).toEqual([{ transaction_isolation: 'repeatable read' }]);
  });

  it('has outside transactions, behind a pooler, only the startup parameters: others would reach its other clients', async () => {
    const pool = openPool(addressWith('pgbouncer=true'), { max: 1, connectionTimeoutMillis: 30_000 });
    onTestFinished(() => pool.end());
    await pool.query('BEGIN');
    expect((await pool.query(shown(Object.keys(all)))).rows).toEqual([all]);
    await pool.query('COMMIT');
    expect((await pool.query(shown(Object.keys(all)))).rows).toEqual([{ ...others, ...atStartup }]);
  });

  it('is not used when a pooler has ignored the startup parameters, until the role has them', async () => {
    const address = await throughPoolerThatIgnores('TimeZone');
    const remedy = `ALTER ROLE … SET TimeZone = 'UTC', and let the pooler reconnect`;
    await expect(atTheStart(address, 'SELECT')).rejects.toThrow(
      `The database cannot be reached: a pooler ignores the startup parameter TimeZone: ${remedy}.`,
    );
    await expect(byPool(address, 'SELECT')).rejects.toThrow(remedy);
    await database.query(`DO $$ BEGIN
      EXECUTE format('ALTER ROLE %I IN DATABASE %I SET TimeZone = ''Etc/UTC''', current_user, current_database()); END $$`);
    expect(await byPool(address, shown(['TimeZone']))).toEqual([{ TimeZone: 'Etc/UTC' }]);
  });
});

it('is not used without the channel binding that its address demands, which needs TLS and a password', async () => {
  await expect(atTheStart(addressWith('channel_binding=require'), 'SELECT')).rejects.toThrow(
    'The database cannot be reached: The server does not offer SCRAM-SHA-256-PLUS over TLS, which channel_binding=require in the address demands; a pooler has none.',
  );
});

it('has no time limit in a transaction that may take long, whatever the database has', async () => {
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout'];
  const known = (await database.query('SELECT name FROM pg_settings WHERE name = ANY ($1)', [limits])).map(({ name }) =>
    String(name),
  );
  const each = (value: string) => [Object.fromEntries(known.map((name) => [name, value]))];
  for (const name of known) {
    await database.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET ${name} = ''1min''', current_database()); END $$`);
  }
  expect(await atTheStart(database.url, shown(known))).toEqual(each('1min'));
  expect(await inOneTransaction(database.url, shown(known))).toEqual(each('0'));
});

/** The first message of a connection has the parameters, each with a zero byte after its name and its value. */
async function throughPoolerThatIgnores(parameter: string): Promise<string> {
  const target = new URL(database.url);
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.once('data', (startup) => {
      const text = startup.toString('latin1').replace(new RegExp(`\\0${parameter}\\0[^\\0]*(?=\\0)`), '');
      const message = Buffer.from(text, 'latin1');
      message.writeInt32BE(message.length);
      upstream.write(message);
      client.pipe(upstream);
    });
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = new URL(addressWith('pgbouncer=true'));
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}
