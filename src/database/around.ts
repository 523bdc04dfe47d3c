import type { SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';

/** Runs a statement, with something of one's own around it. */
export type Around = <Result>(sql: string, run: () => Promise<Result>) => Promise<Result>;

/** Nothing around it. */
export const direct: Around = (_sql, run) => run();

/** The same adapter, with something around every statement that goes through it. */
export function surround(factory: SqlDriverAdapterFactory, around: Around): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = surroundStatements(await factory.connect(), around);
      const start = adapter.startTransaction.bind(adapter);
      // The adapter begins the transaction by itself, once it has got a connection.
      adapter.startTransaction = async (level) => surroundStatements(await around('BEGIN', () => start(level)), around);
      return adapter;
    },
  };
}

function surroundStatements<Queryable extends SqlQueryable>(queryable: Queryable, around: Around): Queryable {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = (query) => around(query.sql, () => queryRaw(query));
  queryable.executeRaw = (query) => around(query.sql, () => executeRaw(query));
  return queryable;
}
