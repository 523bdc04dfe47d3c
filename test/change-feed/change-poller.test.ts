import { openChangePoller, type Poll } from '@service/change-log/change-poller';
import fc from 'fast-check';
import type { Client } from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type CatalogContent, type CatalogLogEntry, catalogLog } from '../../src/academics/changes/catalog-log.ts';
import { clientForTest, useDatabase } from '../support/database.ts';
import { within } from '../support/running-time.ts';

const database = useDatabase();

/** A poller, and everything that it has returned. */
async function poll() {
  const polls: Poll<CatalogContent>[] = [];
  const poller = await openChangePoller({
    databaseUrl: database.url,
    log: catalogLog,
    onPoll: (one) => polls.push(one),
    onFailure: (problem) => {
      throw problem;
    },
  });
  onTestFinished(() => poller.close());
  const entries = (): CatalogLogEntry[] => polls.slice(1).flatMap((one) => one.entries ?? []);
  return { poller, refresh: () => poller.refresh(), polls, entries };
}

const connect = (): Promise<Client> => clientForTest(database.url);

type Step =
  | { readonly what: 'change'; readonly session: number; readonly record: number }
  | { readonly what: 'commit' | 'rollback' | 'savepoint' | 'undo'; readonly session: number }
  | { readonly what: 'poll' };

const sessions = 4;
const session = fc.nat(sessions - 1);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ what: fc.constant('change' as const), session, record: fc.nat(9) }) },
    {
      weight: 3,
      arbitrary: fc.record({ what: fc.constantFrom('commit', 'commit', 'rollback', 'savepoint', 'undo'), session }),
    },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('poll' as const) }) },
  ),
  { minLength: 20, maxLength: 60 },
);

/** The uncommitted changes of a session. */
interface Open {
  readonly changed: number[];
  /** The number of changes before the savepoint. */
  saved: number | undefined;
}

describe('with concurrent transactions', () => {
  it('each is reported exactly once after its commit, and those of one record in commit order', async () => {
    const clients = await Promise.all(Array.from({ length: sessions }, connect));
    await database.query(`INSERT INTO programs (name, duration) SELECT 'P', '1' FROM generate_series(1, 10)`);
    const [row] = await database.query('SELECT min(id) AS first FROM programs');
    const first = Number(row?.['first']);
    const { refresh, entries } = await poll();

    const property = fc.asyncProperty(steps, async (plan) => {
      const before = entries().length;
      const committed: { transaction: string; records: number[] }[] = [];
      const open = new Map<number, Open>();
      const holder = (record: number) => [...open].find(([, { changed }]) => changed.includes(record))?.[0];
      const end = async (index: number, command: 'COMMIT' | 'ROLLBACK') => {
        const work = open.get(index);
        if (work === undefined) return;
        const [row] = (await clients[index]?.query('SELECT pg_current_xact_id_if_assigned()::text AS xid'))?.rows ?? [];
        await clients[index]?.query(command);
        open.delete(index);
        if (command === 'COMMIT' && work.changed.length > 0)
          committed.push({ transaction: row.xid, records: work.changed });
      };
      for (const step of plan) {
        if (step.what === 'poll') {
          await refresh();
          expect(
            entries()
              .slice(before)
              .map(({ xid }) => `${xid}`)
              .sort(),
          ).toEqual(committed.map(({ transaction }) => transaction).sort());
          continue;
        }
        const client = clients[step.session];
        const work = open.get(step.session);
        if (step.what === 'change') {
          // Updating a row that another session has locked would block this test forever.
          if (![undefined, step.session].includes(holder(step.record))) continue;
          if (work === undefined) await client?.query('BEGIN');
          await client?.query(`UPDATE programs SET version = version + 1 WHERE id = $1`, [first + step.record]);
          if (work === undefined) open.set(step.session, { changed: [step.record], saved: undefined });
          else work.changed.push(step.record);
        } else if (step.what === 'savepoint' && work !== undefined) {
          await client?.query('SAVEPOINT here');
          work.saved = work.changed.length;
        } else if (step.what === 'undo' && work?.saved !== undefined) {
          await client?.query('ROLLBACK TO here');
          work.changed.length = work.saved;
        } else if (step.what === 'commit') await end(step.session, 'COMMIT');
        else if (step.what === 'rollback') await end(step.session, 'ROLLBACK');
      }
      for (const index of [...open.keys()]) await end(index, 'COMMIT');
      await refresh();

      const polled = entries().slice(before);
      for (let record = 0; record < 10; record += 1) {
        expect(polled.filter(({ programs }) => programs?.includes(first + record)).map(({ xid }) => `${xid}`)).toEqual(
          committed.filter(({ records }) => records.includes(record)).map(({ transaction }) => transaction),
        );
      }
    });
    await fc.assert(property, { numRuns: inject('thorough') ? 8 : 3, endOnFailure: true });
  });
});

describe('a poll', () => {
  it('reads no more of a long log than is new, even if it was prepared when the log was short', async () => {
    await database.query('TRUNCATE change_log');
    await database.query(`INSERT INTO programs (name, duration) VALUES ('x', '1')`);
    await database.query('VACUUM ANALYZE change_log');
    const { refresh } = await poll();
    /** PostgreSQL counts them with a delay. */
    const scans = async () => {
      const [row] = await database.query(
        `SELECT seq_scan + idx_scan AS scans, seq_tup_read AS rows FROM pg_stat_user_tables WHERE relname = 'change_log'`,
      );
      return { scans: Number(row?.['scans']), rows: Number(row?.['rows']) };
    };
    const pollUntilCounted = async (scansAtLeast: number) => {
      await within(20_000, async () => {
        await refresh();
        expect((await scans()).scans).toBeGreaterThanOrEqual(scansAtLeast);
      });
      return scans();
    };
    // PostgreSQL plans the first five executions of a prepared statement anew.
    for (let polled = 0; polled < 10; polled += 1) await refresh();
    await database.query(
      `DO $$ BEGIN FOR i IN 1..400 LOOP INSERT INTO programs (name, duration) VALUES ('x', '1'); COMMIT; END LOOP; END $$`,
    );
    const before = await pollUntilCounted(400);
    const after = await pollUntilCounted(before.scans + 20);

    expect(after.rows - before.rows).toBeLessThan(400);
  });
});
