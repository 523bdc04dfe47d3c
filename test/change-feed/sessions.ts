import { asUsual } from '@service/postgres/testing/database';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from '../support/database.ts';

/** Four connections for all tests of a file, for transactions that are open side by side. */
export function useSessions(database: TestDatabase): readonly Client[] {
  const sessions: Client[] = [];
  beforeAll(async () => {
    for (let count = 0; count < 4; count += 1)
      sessions.push(new Client({ connectionString: database.url, ...asUsual }));
    await Promise.all(sessions.map((session) => session.connect()));
  });
  afterAll(() => Promise.all(sessions.map((session) => session.end())));
  return sessions;
}

/** In which session the next program is created, and whether its transaction then ends. */
interface Step {
  readonly session: number;
  readonly ends: boolean;
}

/**
 * Creates programs in concurrent transactions that begin and end in the given order; all are committed at the end.
 * @param after called after each step @returns the names of the programs, which begin with the number of the run
 */
export async function createInSessions(
  sessions: readonly Client[],
  plan: readonly Step[],
  run: number,
  after: (index: number) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const names: string[] = [];
  const open = new Set<number>();
  const end = async (session: number): Promise<void> => {
    await sessions[session]?.query('COMMIT');
    open.delete(session);
  };
  for (const [index, { session, ends }] of plan.entries()) {
    if (!open.has(session)) await sessions[session]?.query('BEGIN');
    open.add(session);
    names.push(`${run} ${index}`);
    await sessions[session]?.query(`INSERT INTO programs (name, duration) VALUES ($1, '1')`, [`${run} ${index}`]);
    if (ends) await end(session);
    await after(index);
  }
  for (const session of [...open]) await end(session);
  return names;
}
