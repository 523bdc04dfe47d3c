import { type ChangePoller, openChangePoller } from '@service/change-log/change-poller';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CatalogLogEntry, catalogLog, type LoggedChange } from '../../src/academics/changes/catalog-log.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
let poller: ChangePoller;
let polled: CatalogLogEntry[] = [];
beforeAll(async () => {
  poller = await openChangePoller({
    databaseUrl: database.url,
    log: catalogLog,
    onPoll: ({ entries }) => polled.push(...(entries ?? [])),
    onFailure: (problem) => {
      throw problem;
    },
  });
});
afterAll(() => poller.close());

beforeEach(async () => {
  await database.query('TRUNCATE programs, branches, branch_years, notes RESTART IDENTITY');
  await database.query(`INSERT INTO programs (name, duration, deleted_at)
    VALUES ('Physics', '4 Years', NULL), ('Chemistry', '4 Years', NULL), ('Alchemy', '7 Years', now())`);
  await database.query(`INSERT INTO branches (program_id, name, deleted_at)
    VALUES (1, 'Optics', NULL), (1, 'Ether', now()), (2, 'Salts', NULL)`);
  await database.query(`INSERT INTO branch_years (branch_id, year, code) VALUES (1, 1, 'O1'), (3, 1, 'S1')`);
});

/** The entries that statements write to the log. */
async function entriesOf(sql: string): Promise<CatalogLogEntry[]> {
  await poller.refresh();
  polled = [];
  await database.query(sql);
  await poller.refresh();
  return polled;
}

function inWords(change: LoggedChange): string {
  const previous = change.kind === 'BRANCH' ? change.previousProgramId : undefined;
  const from = previous === undefined ? '' : ` out of ${previous}`;
  return `${change.kind} ${change.id} of ${change.programId} ${change.action}${from}`;
}

/** The changes that a transaction writes to the log. */
async function logged(sql: string) {
  const entries = await entriesOf(sql);
  return entries.map(({ records, programs }) => ({
    changes: records?.map(inWords) ?? null,
    programs,
  }));
}

const insertPrograms = (count: number) =>
  `INSERT INTO programs (name, duration) SELECT 'Program ' || i, '4 Years' FROM generate_series(1, ${count}) i`;
const removedProgram = { id: 2, name: 'Chemistry', duration: '4 Years', code: null, version: 1, deletedAt: null };
const updateYears = `UPDATE branch_years SET code = code || 'x'`;

describe('the change log', () => {
  it.each([
    ['a program inserted', `INSERT INTO programs (name, duration) VALUES ('x', '1')`, ['PROGRAM 4 of 4 CREATE']],
    ['a program changed', `UPDATE programs SET name = 'x' WHERE id = 1`, ['PROGRAM 1 of 1 UPDATE']],
    ['a program marked as deleted', 'UPDATE programs SET deleted_at = now() WHERE id = 1', ['PROGRAM 1 of 1 DELETE']],
    ['a program brought back', 'UPDATE programs SET deleted_at = NULL WHERE id = 3', ['PROGRAM 3 of 3 RESTORE']],
    [
      'a program with another id',
      'UPDATE programs SET id = 9 WHERE id = 2',
      ['PROGRAM 2 of 2 DELETE', 'PROGRAM 9 of 9 CREATE', 'BRANCH 3 of 9 UPDATE out of 2'],
    ],
    ['a branch inserted', `INSERT INTO branches (program_id, name) VALUES (2, 'x')`, ['BRANCH 4 of 2 CREATE']],
    ['a branch changed', `UPDATE branches SET name = 'x' WHERE id = 1`, ['BRANCH 1 of 1 UPDATE']],
    ['branches deleted', 'UPDATE branches SET deleted_at = now()', ['BRANCH 1 of 1 DELETE', 'BRANCH 3 of 2 DELETE']],
    ['a branch brought back', 'UPDATE branches SET deleted_at = NULL WHERE id = 2', ['BRANCH 2 of 1 RESTORE']],
    ['a branch moved', 'UPDATE branches SET program_id = 2 WHERE id = 1', ['BRANCH 1 of 2 UPDATE out of 1']],
    [
      'a branch moved again and again',
      `UPDATE branches SET program_id = 2 WHERE id = 1; UPDATE branches SET program_id = 1 WHERE id = 1;
        UPDATE branches SET name = 'x' WHERE id = 1; UPDATE branches SET program_id = 2 WHERE id = 1`,
      ['BRANCH 1 of 2 UPDATE out of 1', 'BRANCH 1 of 1 UPDATE out of 2', 'BRANCH 1 of 2 UPDATE out of 1'],
    ],
    [
      'a branch removed for good',
      'WITH gone AS (DELETE FROM branch_years WHERE branch_id = 3) DELETE FROM branches WHERE id = 3',
      ['BRANCH 3 of 2 DELETE'],
    ],
    [
      'years added',
      `INSERT INTO branch_years (branch_id, year, code) VALUES (1, 2, 'x'), (1, 3, 'y')`,
      ['BRANCH 1 of 1 UPDATE'],
    ],
    ['years changed', updateYears, ['BRANCH 1 of 1 UPDATE', 'BRANCH 3 of 2 UPDATE']],
    ['years removed', 'DELETE FROM branch_years', ['BRANCH 1 of 1 UPDATE', 'BRANCH 3 of 2 UPDATE']],
  ])('has an entry for %s', async (_what, sql, changes) => {
    const programs = [...new Set(changes.flatMap((change) => change.match(/(?<=of )\d+/g)?.map(Number) ?? []))].sort();

    expect(await logged(sql)).toEqual([{ changes, programs }]);
  });

  it.each([
    ['a statement that finds nothing', `UPDATE programs SET name = 'x' WHERE id = 99`],
    ['a statement that changes nothing', 'UPDATE programs SET name = name'],
    ['the use of a key', `UPDATE api_keys SET last_used_at = now()`],
    ['a transaction that is rolled back', `BEGIN; UPDATE programs SET name = 'x'; ROLLBACK`],
  ])('has no entry for %s', async (_what, sql) => {
    expect(await logged(sql)).toEqual([]);
  });

  it.each([
    ['a program inserted as deleted', `INSERT INTO programs (name, duration, deleted_at) VALUES ('x', '1', now())`, 4],
    ['a change of what is deleted', `UPDATE programs SET name = 'x' WHERE id = 3`, 3],
    ['the removal of what is deleted', 'DELETE FROM programs WHERE id = 3', 3],
    ['years of a deleted branch', `INSERT INTO branch_years (branch_id, year, code) VALUES (2, 1, 'x')`, 1],
  ])('names the program but no record for %s', async (_what, sql, program) => {
    expect(await logged(sql)).toEqual([{ changes: [], programs: [program] }]);
  });

  it.each([
    ['a user', `INSERT INTO users (name, role) VALUES ('ada', 'viewer')`],
    ['a role', `UPDATE users SET role = 'guest'`],
    ['the revocation of a key', `UPDATE api_keys SET revoked_at = now()`],
    ['keys that are gone', `TRUNCATE api_keys`],
  ])('has an entry for %s', async (_what, sql) => {
    expect(await entriesOf(sql)).toEqual([expect.objectContaining({ access: true, records: [], programs: [] })]);
  });

  it('stores the last state of deleted rows', async () => {
    const [entry] = await entriesOf(
      'DELETE FROM branch_years; DELETE FROM branches WHERE id = 3; DELETE FROM programs WHERE id = 2',
    );

    expect(entry?.records?.map(({ kind, removed }) => [kind, removed?.name])).toEqual([
      ['BRANCH', undefined],
      ['BRANCH', undefined],
      ['BRANCH', 'Salts'],
      ['PROGRAM', 'Chemistry'],
    ]);
    expect(entry?.records?.at(-1)?.removed).toMatchObject({
      ...removedProgram,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
  });

  it('has null for a column that the table did not have when a row was deleted', async () => {
    const removed = `jsonb_build_object('id', 9, 'name', 'Old', 'duration', '1', 'attributes', '{}'::jsonb, 'version', 1,
      'created_at', now(), 'updated_at', now())`;
    const [entry] = await entriesOf(`INSERT INTO change_log (records) VALUES (jsonb_build_array(jsonb_build_object(
      'kind', 'PROGRAM', 'action', 'DELETE', 'id', 9, 'programId', 9, 'removed', ${removed})))`);

    expect(entry?.records?.[0]?.removed).toMatchObject({ name: 'Old', code: null, deletedAt: null });
  });

  it('is also written in sessions with session_replication_role = replica', async () => {
    const triggers = await database.query(
      `SELECT tgname, tgenabled FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE proname LIKE 'log\\_%'`,
    );

    expect(triggers).toHaveLength(19);
    expect(triggers.filter(({ tgenabled }) => tgenabled !== 'A')).toEqual([]);
  });

  it('does not list the rows of a statement that changes more than 10,000', async () => {
    expect(await logged(insertPrograms(10_001))).toEqual([{ changes: null, programs: null }]);
  });

  it('has one entry per transaction, in order, without rolled back savepoints', async () => {
    const sql = `BEGIN; UPDATE branches SET name = 'x' WHERE id = 3; SAVEPOINT before;
      UPDATE programs SET name = 'x' WHERE id = 2; ROLLBACK TO before; UPDATE programs SET name = 'x' WHERE id = 1; COMMIT`;

    expect(await logged(sql)).toEqual([
      { changes: ['BRANCH 3 of 2 UPDATE', 'PROGRAM 1 of 1 UPDATE'], programs: [1, 2] },
    ]);
  });

  it('starts over when a transaction rolls back all of its first changes', async () => {
    const sql = `BEGIN; SAVEPOINT before; UPDATE programs SET name = 'x' WHERE id = 2; ROLLBACK TO before;
      UPDATE programs SET name = 'x' WHERE id = 1; COMMIT`;

    expect(await logged(sql)).toEqual([{ changes: ['PROGRAM 1 of 1 UPDATE'], programs: [1] }]);
  });

  it.each([
    ['1,000 records are listed', insertPrograms(1_000), { changes: 1_000, programs: 1_000 }],
    ['of 1,001 records the programs are', insertPrograms(1_001), { changes: null, programs: 1_001 }],
    ['of 2,000 programs too', insertPrograms(2_000), { changes: null, programs: 2_000 }],
    ['2,001 are not', insertPrograms(2_001), { changes: null, programs: null }],
    [
      '1,000 in two statements are listed',
      `${insertPrograms(600)}; ${insertPrograms(400)}`,
      { changes: 1_000, programs: 1_000 },
    ],
    ['1,001 are not', `${insertPrograms(600)}; ${insertPrograms(401)}`, { changes: null, programs: 1_001 }],
    ['nor 2,001 programs', `${insertPrograms(1_500)}; ${insertPrograms(501)}`, { changes: null, programs: null }],
    ['more adds nothing to that', `${insertPrograms(3_000)}; ${updateYears}`, { changes: null, programs: null }],
    [
      'branches that move are in two programs each',
      `${insertPrograms(2_000)}; INSERT INTO branches (program_id, name) SELECT i + 3, 'x' FROM generate_series(1, 1000) i; COMMIT;
        BEGIN; UPDATE branches SET program_id = program_id + 1000 WHERE name = 'x'`,
      { changes: 1_000, programs: 2_000 },
    ],
    ['nor to a table emptied', `TRUNCATE branch_years; ${insertPrograms(1)}`, { changes: null, programs: null }],
  ])('is bounded: %s', async (_what, sql, lengths) => {
    const entries = await logged(`BEGIN; ${sql}; COMMIT`);

    const { changes, programs } = entries.at(-1) ?? {};
    expect({ changes: changes?.length ?? null, programs: programs?.length ?? null }).toEqual(lengths);
  });

  it('lists a record that is changed again once, so that 1,000 branches are listed with their years', async () => {
    const sql = `BEGIN;
      WITH created AS (INSERT INTO branches (program_id, name) SELECT 1, 'x' FROM generate_series(1, 1000) RETURNING id)
      INSERT INTO branch_years (branch_id, year, code) SELECT id, year, 'x' FROM created, generate_series(1, 2) year;
      UPDATE branch_years SET code = 'y' WHERE branch_id > 3; COMMIT`;

    const [entry] = await logged(sql);
    expect(entry?.changes).toEqual(Array.from({ length: 1_000 }, (_, index) => `BRANCH ${index + 4} of 1 CREATE`));
  });

  it('lists a record that is deleted, restored and changed in one transaction in that order', async () => {
    const sql = `BEGIN; UPDATE programs SET name = 'x' WHERE id = 1; UPDATE programs SET deleted_at = now() WHERE id = 1;
      UPDATE programs SET deleted_at = NULL WHERE id = 1; UPDATE programs SET name = 'y' WHERE id IN (1, 2); COMMIT`;

    const changes = ['1 of 1 UPDATE', '1 of 1 DELETE', '1 of 1 RESTORE', '2 of 2 UPDATE'];
    expect(await logged(sql)).toEqual([{ changes: changes.map((change) => `PROGRAM ${change}`), programs: [1, 2] }]);
  });

  it.each([
    ['a program', `INSERT INTO public.programs (name, duration) VALUES ('x', '1')`],
    ['a branch', `DELETE FROM public.branches WHERE id = 2`],
    ['years', `UPDATE public.branch_years SET code = 'x'`],
    ['a table', 'TRUNCATE public.branch_years'],
    ['a user', `INSERT INTO public.users (name, role) VALUES ('eve', 'viewer')`],
    [
      'the log itself',
      `UPDATE public.programs SET name = 'y' WHERE id = 1; DELETE FROM public.change_log WHERE id = 0`,
    ],
  ])('is written whatever the search_path of the session, as of pg_dump --data-only: %s', async (_what, sql) => {
    expect(await entriesOf(`BEGIN; SET LOCAL search_path = ''; ${sql}; COMMIT`)).toHaveLength(1);
  });

  it('is written by any role that may change the catalog', async () => {
    // A predefined role without privileges on tables.
    await database.query('GRANT SELECT, UPDATE ON programs TO pg_database_owner');
    const sql = `BEGIN; SET LOCAL ROLE pg_database_owner; UPDATE programs SET name = 'x' WHERE id = 1; COMMIT`;

    expect(await logged(sql)).toEqual([{ changes: ['PROGRAM 1 of 1 UPDATE'], programs: [1] }]);
  });
});
