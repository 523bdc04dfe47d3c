import type { SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';
import { changing } from './adapter.ts';

/** Runs a statement, with something of one's own around it. */
export type Around = <Result>(sql: string, run: () => Promise<Result>) => Promise<Result>;

/** The same adapter, with something around every statement that goes through it. */
export function surround(factory: SqlDriverAdapterFactory, around: Around): SqlDriverAdapterFactory {
  return changing(factory, (adapter) => {
    surroundStatements(adapter, around);
    const start = adapter.startTransaction.bind(adapter);
    // The adapter begins the transaction by itself, once it has got a connection.
    adapter.startTransaction = async (level) => surroundStatements(await around('BEGIN', () => start(level)), around);
  });
}

function surroundStatements<Queryable extends SqlQueryable>(queryable: Queryable, around: Around): Queryable {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = (query) => around(query.sql, () => queryRaw(query));
  queryable.executeRaw = (query) => around(query.sql, () => executeRaw(query));
  return queryable;
}
