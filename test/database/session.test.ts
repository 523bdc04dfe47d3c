import { openPollConnection } from '@service/change-log/poll-connection';
import { inSnapshot } from '@service/postgres/snapshot';
import { queryJson } from '@service/postgres/sql';
import type { Client } from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { catalogLog } from '../../src/academics/changes/catalog-log.ts';
import { openUnmigrated, withStartupConnection } from '../../src/database/open-postgres.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import { databaseForTest, useDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';

const database = useDatabase();

const addressWith = (parameter: string): string => {
  const address = new URL(database.url);
  const [name = '', value = ''] = parameter.split('=');
  address.searchParams.set(name, value);
  return address.href;
};

type Read = (url: string, sql: string) => Promise<unknown>;

const outsideTransactions: Readonly<Record<string, Read>> = {
  Prisma: (url, sql) => opened(url).$queryRawUnsafe(sql),
  'the start and the command line': async (url, sql) =>
    (await withStartupConnection(url, (client) => client.query(sql))).rows,
  'the first connection of a start': async (url, sql) => {
    let rows: unknown;
    const inspect = async (client: Client) => {
      rows = (await client.query(sql)).rows;
    };
    const settings = { DATABASE_URL: url, DATABASE_DIRECT_URL: undefined, DATA_DIR: '' };
    await openUnmigrated(settings, () => undefined, undefined, { inspect });
    return rows;
  },
  'the poll of the change log': async (databaseUrl, sql) => {
    const { client } = await openPollConnection({
      databaseUrl,
      log: catalogLog,
      onLost: () => undefined,
      onNotification: () => undefined,
    });
    onTestFinished(() => client.end());
    return (await client.query(sql)).rows;
  },
};

const insideTransactions: Readonly<Record<string, Read>> = {
  'a transaction of Prisma': (url, sql) => opened(url).$transaction((tx) => tx.$queryRawUnsafe(sql)),
  'a snapshot': (url, text) => inSnapshot(opened(url), (tx) => queryJson(tx, { text, values: [] })),
};

function opened(url: string) {
  const db = openDatabase({ url });
  onTestFinished(() => db.$disconnect());
  return db;
}

const jit = `SELECT current_setting('jit') AS jit`;
const [on, off] = [[{ jit: 'on' }], [{ jit: 'off' }]];

it('keeps instants on a PostgreSQL that is not in UTC and writes dates in its own way', async () => {
  const elsewhere = await databaseForTest();
  const [{ name } = {}] = await elsewhere.query('SELECT current_database() AS name');
  await elsewhere.query(`ALTER DATABASE ${name} SET timezone = 'America/New_York'`);
  await elsewhere.query(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`);
  const { graphql, close } = await startTestServer({}, elsewhere);
  onTestFinished(close);
  const before = Date.now();
  const end = new Date(before + 3_600_000).toISOString();
  const create = `mutation { createApiKey(input: { userId: 1, name: "till", expiresAt: "${end}" }) {
    apiKey { expiresAt createdAt } } }`;
  const { apiKey } = (await graphql(create)).body.data.createApiKey;
  const [stored] = await elsewhere.query(
    `SELECT (extract(epoch FROM expires_at) * 1000)::float8 AS ms FROM api_keys WHERE name = 'till'`,
  );
  expect([apiKey.expiresAt, stored]).toEqual([end, { ms: Date.parse(end) }]);
  expect(Math.abs(Date.parse(apiKey.createdAt) - before)).toBeLessThan(60_000);
  const since = new Date(before - 60_000).toISOString();
  const log = `{ auditLog(first: 1, filter: { since: "${since}" }) { nodes { at subject } } }`;
  const [entry] = (await graphql(log)).body.data.auditLog.nodes;
  expect(entry.subject).toBe('API_KEY');
  expect(Math.abs(Date.parse(entry.at) - before)).toBeLessThan(60_000);
});

describe("PostgreSQL's JIT compiler", () => {
  it.each(Object.entries({ ...outsideTransactions, ...insideTransactions }))('is off for %s', async (_name, read) => {
    expect(await database.query(jit)).toEqual(on);
    expect(await read(database.url, jit)).toEqual(off);
  });

  it.each(Object.entries(insideTransactions))('is off behind a pooler, for %s', async (_name, read) => {
    expect(await read(addressWith('pgbouncer=true'), jit)).toEqual(off);
  });

  it('compiles none of the statements of a running service', async ({ skip }) => {
    const statistics = (sql: string, values: unknown[] = []) =>
      withStartupConnection(inject('postgresUrl'), async (client) => (await client.query(sql, values)).rows);
    const [found] = await statistics(`SELECT to_regclass('pg_stat_statements') AS "hasStatements"`);
    if (found.hasStatements === null)
      skip('The embedded server has neither the compiler nor statistics of statements.');
    const loaded = await databaseForTest();
    await loaded.query(`INSERT INTO programs (name, duration) SELECT 'P', '1 Year' FROM generate_series(1, 100)`);
    await loaded.query(`INSERT INTO branches (program_id, name) SELECT id, 'B' FROM programs`);
    const [{ name } = {}] = await loaded.query('SELECT current_database() AS name');
    // Whatever PostgreSQL estimates.
    await loaded.query(`ALTER DATABASE ${name} SET jit_above_cost = 0`);
    // With `pgbouncer=false`, no connection has to find out first whether there is a pooler.
    const DATABASE_URL = `${loaded.url}?pgbouncer=false`;
    const { rest, graphql, close } = await startTestServer({ DATABASE_URL, RESPONSE_CACHE_MAX_BYTES: '0' }, loaded);
    onTestFinished(close);

    const page = '/api/academics/programs?page=2&size=20';
    const tree = '{ programs(page: 2) { count items { branches { years { code } } } } }';
    const filtered =
      '{ programsConnection(filter: { minBranches: 1 }, orderBy: NAME_DESC) { totalCount nodes { id } } }';
    const create = 'mutation { createProgram(input: { name: "P", duration: "1 Year" }) { id } }';
    expect((await rest('get', page)).status).toBe(200);
    for (const document of [tree, filtered, '{ catalogStats { branches } }', create])
      expect((await graphql(document)).body).toMatchObject({ data: expect.anything() });

    const ofDatabase = 'FROM pg_stat_statements JOIN pg_database ON oid = dbid WHERE datname = $1';
    expect(await statistics(`SELECT count(*) > 10 AS "areSeen" ${ofDatabase}`, [name])).toEqual([{ areSeen: true }]);
    expect(await statistics(`SELECT query ${ofDatabase} AND jit_functions > 0`, [name])).toEqual([]);
  });
});
