import { removeForeignEntries, removeOldEntries } from '@service/change-log/change-log';
import fc from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Total, totalOf } from '../../src/academics/sql/counts.ts';
import { countRecords } from '../../src/academics/sql/stats.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import type { Database } from '../../src/database/types.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { clientForTest, databaseForTest, useDatabase } from '../support/database.ts';
import { within } from '../support/running-time.ts';
import { serverForTest } from '../support/server.ts';

const database = useDatabase();
let db: Database;
beforeAll(async () => {
  db = openDatabase({ url: database.url });
});
afterAll(async () => {
  await db.$disconnect();
});

const connect = (): Promise<Client> => clientForTest(database.url);

interface Totals {
  readonly programs: Total;
  readonly branches: Total;
}

const totals = (): Totals => ({ programs: totalOf(db, 'Program'), branches: totalOf(db, 'Branch') });

/** Expects the counts to be those of the tables, for what this connection sees in one statement. */
async function expectExact(client: Pick<Client, 'query'>, { programs, branches } = totals()): Promise<void> {
  const { text, values } = Prisma.sql`SELECT ${programs.count} AS programs, ${branches.count} AS branches,
    (SELECT count(*)::int FROM programs WHERE deleted_at IS NULL) AS "allPrograms",
    (SELECT count(*)::int FROM branches WHERE deleted_at IS NULL) AS "allBranches"`;
  const [row] = (await client.query(text, values)).rows;
  expect(row).toEqual({ ...row, programs: row.allPrograms, branches: row.allBranches });
}

const sessions = 3;

/** Changes of a session's own records, which no other session waits for. */
const changes = {
  'create programs': `INSERT INTO programs (name, duration, deleted_at)
    SELECT $1::text, i::text, CASE WHEN i = 2 THEN now() END FROM generate_series(1, 1 + $2::int) AS i`,
  'create branches': `INSERT INTO branches (program_id, name)
    SELECT id, $1 FROM programs WHERE name = $1 ORDER BY id LIMIT $2`,
  'delete programs': `UPDATE programs SET deleted_at = now() WHERE id IN
    (SELECT id FROM programs WHERE name = $1 AND deleted_at IS NULL LIMIT $2)`,
  'restore programs': `UPDATE programs SET deleted_at = NULL WHERE id IN
    (SELECT id FROM programs WHERE name = $1 AND deleted_at IS NOT NULL LIMIT $2)`,
  'rename programs': `UPDATE programs SET duration = duration || $2::int WHERE name = $1`,
  'delete branches': `UPDATE branches SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
    WHERE id IN (SELECT id FROM branches WHERE name = $1 ORDER BY id LIMIT $2)`,
  'move branches': `UPDATE branches SET program_id = (SELECT max(id) FROM programs WHERE name = $1)
    WHERE id IN (SELECT id FROM branches WHERE name = $1 ORDER BY id LIMIT $2)`,
  'remove branches': `DELETE FROM branches WHERE id IN (SELECT id FROM branches WHERE name = $1 ORDER BY id LIMIT $2)`,
  'remove programs': `DELETE FROM programs WHERE id IN (SELECT id FROM programs WHERE name = $1
    AND NOT EXISTS (SELECT FROM branches WHERE program_id = programs.id) LIMIT $2)`,
} as const;
const changeNames = Object.keys(changes).filter((name): name is keyof typeof changes => name in changes);

const session = fc.nat(sessions - 1);
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ what: fc.constantFrom(...changeNames), session, amount: fc.integer({ min: 1, max: 3 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        what: fc.constantFrom('COMMIT', 'COMMIT', 'ROLLBACK', 'SAVEPOINT here', 'ROLLBACK TO here'),
        session,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ what: fc.constantFrom('count', 'count', 'remove', 'empty'), session }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('look again' as const), session }) },
  ),
  { minLength: 20, maxLength: 60 },
);

it('counts of concurrent transactions are those of the tables, in every snapshot', async () => {
  const clients = await Promise.all(Array.from({ length: sessions }, connect));
  const reader = await connect();
  const operator = await connect();

  const property = fc.asyncProperty(steps, async (plan) => {
    const open = new Map<number, { saved: boolean }>();
    const end = async (index: number, command: string): Promise<void> => {
      await clients[index]?.query(command);
      open.delete(index);
    };
    const begin = async (): Promise<Totals> => {
      const before = totals();
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      return before;
    };
    let before = await begin();
    for (const step of plan) {
      const { what } = step;
      const client = clients[step.session];
      const work = open.get(step.session);
      if ('amount' in step) {
        if (work === undefined) await client?.query('BEGIN');
        if (work === undefined) open.set(step.session, { saved: false });
        await client?.query(changes[step.what], [`session ${step.session}`, step.amount]);
      } else if (what === 'look again') {
        await expectExact(reader, before);
        await reader.query('COMMIT');
        before = await begin();
      } else if (what === 'COMMIT' || what === 'ROLLBACK') {
        if (work !== undefined) await end(step.session, what);
      } else if (what === 'SAVEPOINT here') {
        if (work === undefined) continue;
        work.saved = true;
        await client?.query(what);
      } else if (what === 'ROLLBACK TO here') {
        if (work?.saved === true) await client?.query(what);
      } else if (what === 'count') {
        await countRecords(db);
      } else if (what === 'remove') {
        await operator.query('DELETE FROM change_log');
      } else {
        await reader.query('COMMIT');
        for (const index of [...open.keys()]) await end(index, 'COMMIT');
        await operator.query('TRUNCATE programs, branches, branch_years, notes');
        before = await begin();
      }
      await expectExact(operator);
      if (client !== undefined && open.has(step.session)) await expectExact(client);
    }
    await expectExact(reader, before);
    await reader.query('COMMIT');
    for (const index of [...open.keys()]) await end(index, 'COMMIT');
    await expectExact(operator);
  });
  await fc.assert(property, { numRuns: inject('thorough') ? 6 : 1 });
});

it('counts stay those of the tables while many clients write and count at once', async () => {
  let writing = true;
  const write = async (index: number): Promise<void> => {
    const client = await connect();
    for (let round = 0; round < (inject('thorough') ? 25 : 10); round += 1) {
      await client.query('BEGIN');
      await client.query(changes['create programs'], [`writer ${index}`, 2]);
      await client.query(changes[round % 3 === 0 ? 'remove programs' : 'delete programs'], [`writer ${index}`, 1]);
      await client.query(round % 5 === 0 ? 'ROLLBACK' : 'COMMIT');
    }
  };
  const repeat = async (work: (client: Client) => Promise<unknown>): Promise<void> => {
    const client = await connect();
    while (writing) await work(client);
  };
  const others = [
    repeat(() => countRecords(db)),
    repeat((client) => client.query('DELETE FROM change_log')),
    repeat(expectExact),
    repeat(expectExact),
  ];
  await Promise.all(Array.from({ length: 8 }, (_, index) => write(index))).finally(() => {
    writing = false;
  });
  await Promise.all(others);
  await expectExact(await connect());
});

describe('counts', () => {
  beforeEach(async () => {
    await database.query('TRUNCATE programs, branches, branch_years, notes');
    await countRecords(db);
  });

  it.each([
    ['10,001 programs created', ''],
    ['all changed', `UPDATE programs SET deleted_at = CASE WHEN id % 2 = 0 THEN now() END`],
    ['all removed', 'DELETE FROM branches; DELETE FROM programs'],
    ['all programs emptied with their branches', 'TRUNCATE programs CASCADE'],
    [
      'a table emptied and filled in one transaction',
      `TRUNCATE programs CASCADE;
      INSERT INTO programs (name, duration) VALUES ('P', '1')`,
    ],
  ])('are exact after %s', async (_what, sql) => {
    await database.query(`INSERT INTO programs (name, duration, deleted_at)
      SELECT 'P', '1', CASE WHEN i % 5 = 0 THEN now() END FROM generate_series(1, 1001) AS i`);
    await database.query(`INSERT INTO branches (program_id, name) SELECT id, 'B' FROM programs`);
    await database.query(`BEGIN; ${sql}; COMMIT`);

    await expectExact(await connect());
  });

  it.each(['delete programs', 'restore programs', 'delete branches'] as const)(
    'are exact after the log lists records that it counts: %s',
    async (change) => {
      await database.query(changes['create programs'], ['few', 2]);
      await database.query(changes['create branches'], ['few', 2]);
      await countRecords(db);
      await database.query(changes[change], ['few', 1]);

      await expectExact(await connect());
    },
  );

  it('are exact after more transactions than are added from the log', async () => {
    await database.query(`DO $$ BEGIN
      FOR i IN 1..501 LOOP INSERT INTO programs (name, duration) VALUES ('P', '1'); COMMIT; END LOOP;
    END $$`);

    await expectExact(await connect());
  });

  it('are exact after a crash, when a transaction has an id that one before the count had', async () => {
    const [before] = await database.query('SELECT pg_current_xact_id()::text AS xid');
    await countRecords(db);
    await database.query(changes['create programs'], ['given again', 2]);
    await database.query('UPDATE change_log SET xid = $1::xid8 WHERE id = (SELECT max(id) FROM change_log)', [
      before?.['xid'],
    ]);

    await expectExact(await connect());
  });

  it('are exact after old entries of the log have been removed', async () => {
    for (const name of ['a', 'b', 'c']) await database.query(changes['create programs'], [name, 2]);
    await database.query(
      `UPDATE change_log SET at = now() - interval '8 days' - ((SELECT max(id) FROM change_log) - id) * interval '2 hours'`,
    );
    expect(await removeOldEntries(db, 'change_log', 10)).toBeGreaterThan(1);

    await expectExact(await connect());
  });

  it('are exact beside a log of another server, whose transaction ids come later, and after its removal', async () => {
    await database.query(changes['create programs'], ['old', 2]);
    // As on a server with smaller transaction ids than the previous one.
    const restore = 'UPDATE change_log SET xid = (xid::text::bigint + 1000000)::text::xid8';
    await database.query(restore);
    await database.query(changes['create programs'], ['new', 2]);
    await countRecords(db);
    await database.query(changes['create programs'], ['newer', 2]);
    await expectExact(await connect());

    expect(await removeForeignEntries(db, 'change_log', 1)).toBe(1);
    while ((await removeForeignEntries(db, 'change_log', 1)) > 0);
    await countRecords(db);
    await database.query(changes['create programs'], ['newest', 2]);
    await expectExact(await connect());
    expect(await database.query('SELECT DISTINCT access FROM change_log')).toEqual([{ access: false }]);
  });

  it('the entries of another server are removed soon after its dump was restored under a running service', async () => {
    const server = await serverForTest({}, database);
    await database.query(changes['create programs'], ['old', 2]);
    expect((await server.rest('get', '/api/academics/programs')).body.count).toBeGreaterThan(0);
    await database.query(`UPDATE change_log SET xid = (xid::text::bigint + 1000000)::text::xid8`);

    await within(2_000, async () => {
      expect(
        await database.query(`SELECT FROM change_log WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())`),
      ).toEqual([]);
    });
  });

  it('are made again when the database has another history, whatever they were counted from', async () => {
    const server = await serverForTest({}, database);
    const count = async () => (await server.rest('get', '/api/academics/programs')).body.count;
    await database.query(changes['create programs'], ['old', 2]);
    const before = await count();
    await database.query(`INSERT INTO programs (name, duration) VALUES ('unknown to the log', '1')`);
    await within(2_000, async () => expect(await count()).toBe(before + 1));
    // A standby lacks the last entry that the service has read.
    await database.query(`INSERT INTO programs (name, duration) VALUES ('again', '1')`);
    await server.graphql('{ catalogChanges { cursor } }').expect(200);
    await database.query('DELETE FROM change_log WHERE id = (SELECT max(id) FROM change_log)');

    await within(2_000, async () => expect(await count()).toBe(before + 2));
  });

  it('are made by a new instance, whatever was changed while triggers were disabled', async () => {
    await database.query(`ALTER TABLE programs DISABLE TRIGGER USER; INSERT INTO programs (name, duration) VALUES ('P', '1');
      ALTER TABLE programs ENABLE ALWAYS TRIGGER programs_inserted`);
    const server = await serverForTest({}, database);

    expect((await server.rest('get', '/api/academics/programs')).body).toMatchObject({
      count: 1,
      items: [{ name: 'P' }],
    });
  });
});

it('a count of 20,000 programs reads as many blocks as one of 1,000, also after changes', async () => {
  const blocksOf = async (count: number): Promise<number> => {
    const own = await databaseForTest();
    await own.query(`INSERT INTO programs (name, duration) SELECT 'P' || i, '1' FROM generate_series(1, $1) AS i`, [
      count,
    ]);
    await own.query('VACUUM ANALYZE');
    const ownDb = openDatabase({ url: own.url });
    onTestFinished(() => ownDb.$disconnect());
    expect((await countRecords(ownDb)).programs).toBe(count);
    await own.query(`UPDATE programs SET deleted_at = now() WHERE id = 30`);
    await own.query(`INSERT INTO programs (name, duration) VALUES ('P', '1'), ('Q', '1')`);
    const { text, values } = Prisma.sql`SELECT ${totalOf(ownDb, 'Program').count} AS count`;
    expect(await own.query(text, values)).toEqual([{ count: count + 1 }]);
    const [row] = await own.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    return JSON.parse(JSON.stringify(row?.['QUERY PLAN']))[0].Plan['Shared Hit Blocks'];
  };

  const few = await blocksOf(1_000);
  expect(few).toBeLessThan(30);
  expect(await blocksOf(20_000)).toBeLessThan(few + 3);
});
