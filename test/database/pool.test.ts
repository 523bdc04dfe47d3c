import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { serverForTest } from '../support/server.ts';

const database = useDatabase();

const connections = async (): Promise<unknown> => {
  const [row] = await database.query(`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name ~ '^academic-structure-service($| [(](quick reads|keys)[)])'`);
  return row?.['count'];
};

describe('pool connections', () => {
  it('are open before the first request', async () => {
    await serverForTest({}, database);

    // Four in the pool, two pipelined ones, and that of keys; on a busy machine a background statement may open another.
    expect(await connections()).toBeGreaterThanOrEqual(7);
  });
});
