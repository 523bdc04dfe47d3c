import { lockTable } from '@service/postgres/testing/table-lock';
import { describe, expect, it } from 'vitest';
import { useDatabaseForEach } from '../support/database.ts';
import { runCommand } from './run-command.ts';

const database = useDatabaseForEach();

const prune = (...words: string[]) =>
  runCommand(database.url, ['audit', 'prune', '--before', '2016-01-01', '--json', ...words]);

const insert = (at: string, count = 1) =>
  database.query(
    `INSERT INTO audit_entries (at, actor, action, subject, subject_id)
    SELECT $1, 'ada', 'create', 'Program', i FROM generate_series(1, $2::int) AS i`,
    [at, count],
  );

const days = async (): Promise<unknown[]> =>
  (
    await database.query(`SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM audit_entries ORDER BY at`)
  ).map(({ day }) => day);

describe('audit prune', () => {
  it('removes the entries from before a day, records that, and leaves the log append-only', async () => {
    for (const at of ['2010-05-05', '2015-12-31T23:59:59.999Z', '2016-01-01T00:00:00Z']) await insert(at);

    const { exitCode, out } = await prune();

    expect([exitCode, JSON.parse(out)]).toEqual([0, { before: '2016-01-01T00:00:00.000Z', entries: 2, removed: true }]);
    expect(await days()).toEqual(['2016-01-01', new Date().toISOString().slice(0, 10)]);
    expect(await database.query(`SELECT actor, action, after FROM audit_entries WHERE subject = 'AuditLog'`)).toEqual([
      { actor: 'cli', action: 'delete', after: { before: '2016-01-01T00:00:00.000Z', entries: 2 } },
    ]);
    await expect(database.query('DELETE FROM audit_entries')).rejects.toThrow('never changed or deleted');
  });

  it('only counts with --dry-run', async () => {
    await insert('2010-05-05', 3);

    expect(JSON.parse((await prune('--dry-run')).out)).toMatchObject({ entries: 3, removed: false });
    expect(await days()).toHaveLength(3);
  });

  it('removes any number of entries, and leaves no trace when there are none', async () => {
    await insert('2010-05-05', 10_001);

    expect(JSON.parse((await prune()).out)).toMatchObject({ entries: 10_001 });
    expect(JSON.parse((await prune()).out)).toMatchObject({ entries: 0 });
    expect(await days()).toHaveLength(1);
  });

  it('waits for a transaction that writes to the log, without holding up others for long', async () => {
    await insert('2010-05-05');
    const held = await lockTable(database, 'audit_entries');
    const pruning = prune();
    await held.waitUntilBlocking();
    await held.release();

    expect(JSON.parse((await pruning).out)).toMatchObject({ entries: 1 });
  });
});
