import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { addUser } from '../../src/accounts/users.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import type { Database, Transaction } from '../../src/database/types.ts';
import type { Actor } from '../../src/operations/caller.ts';
import type { Role } from '../../src/validation/permissions.ts';
import { useEmptiedDatabase } from '../support/database.ts';

export const actor: Actor = { name: 'a tester', keyId: null, requestId: null, changeId: randomUUID() };

/** A database for the tests of a file, in which the functions that change users and keys run without a server. */
export function administerDatabase() {
  const database = useEmptiedDatabase();
  const { query } = database;
  let db: Database;
  beforeAll(() => {
    db = openDatabase({ url: database.url });
  });
  afterAll(() => db.$disconnect());
  const inTransaction = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> => db.$transaction(work);
  return {
    get db(): Database {
      return db;
    },
    query,
    inTransaction,
    add: (name: string, role: Role) => inTransaction((tx) => addUser(tx, actor, name, role)),
    audited: () => query('SELECT actor, action, subject, subject_id, before, after FROM audit_entries ORDER BY id'),
  };
}
