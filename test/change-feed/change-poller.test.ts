import { openChangePoller } from '@service/change-log/change-poller';
import { expect, it, onTestFinished } from 'vitest';
import { catalogLog } from '../../src/academics/changes/catalog-log.ts';
import { useDatabase } from '../support/database.ts';
import { within } from '../support/running-time.ts';

const database = useDatabase();

it('a poll reads no more of a long log than is new, even if it was prepared when the log was short', async () => {
  await database.query('TRUNCATE change_log');
  await database.query(`INSERT INTO programs (name, duration) VALUES ('x', '1')`);
  await database.query('VACUUM ANALYZE change_log');
  const poller = await openChangePoller({
    databaseUrl: database.url,
    log: catalogLog,
    onPoll: () => undefined,
    onFailure: (problem) => {
      throw problem;
    },
  });
  onTestFinished(() => poller.close());
  /** PostgreSQL counts them with a delay. */
  const scans = async () => {
    const [row] = await database.query(
      `SELECT seq_scan + idx_scan AS scans, seq_tup_read AS rows FROM pg_stat_user_tables WHERE relname = 'change_log'`,
    );
    return { scans: Number(row?.['scans']), rows: Number(row?.['rows']) };
  };
  const pollUntilCounted = async (scansAtLeast: number) => {
    await within(20_000, async () => {
      await poller.refresh();
      expect((await scans()).scans).toBeGreaterThanOrEqual(scansAtLeast);
    });
    return scans();
  };
  // PostgreSQL plans the first five executions of a prepared statement anew.
  for (let polled = 0; polled < 10; polled += 1) await poller.refresh();
  await database.query(
    `DO $$ BEGIN FOR i IN 1..400 LOOP INSERT INTO programs (name, duration) VALUES ('x', '1'); COMMIT; END LOOP; END $$`,
  );
  const before = await pollUntilCounted(400);
  const after = await pollUntilCounted(before.scans + 20);

  expect(after.rows - before.rows).toBeLessThan(400);
});
