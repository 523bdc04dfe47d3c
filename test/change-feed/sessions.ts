import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from '../support/database.ts';

/** Four connections for all tests of a file, for transactions that are open side by side. */
export function useSessions(database: TestDatabase): readonly Client[] {
  const sessions: Client[] = [];
  beforeAll(async () => {
    for (let count = 0; count < 4; count += 1) sessions.push(new Client({ connectionString: database.url }));
    await Promise.all(sessions.map((session) => session.connect()));
  });
  afterAll(() => Promise.all(sessions.map((session) => session.end())));
  return sessions;
}
