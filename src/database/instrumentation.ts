import type { SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';
import type { StatementHook } from '@service/postgres/sql';

export function instrument(factory: SqlDriverAdapterFactory, hook: StatementHook): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = instrumentStatements(await factory.connect(), hook);
      const start = adapter.startTransaction.bind(adapter);
      // The adapter sends BEGIN itself, when it has a connection.
      adapter.startTransaction = async (level) => instrumentStatements(await hook('BEGIN', () => start(level)), hook);
      return adapter;
    },
  };
}

function instrumentStatements<Queryable extends SqlQueryable>(queryable: Queryable, hook: StatementHook): Queryable {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = (query) => hook(query.sql, () => queryRaw(query));
  queryable.executeRaw = (query) => hook(query.sql, () => executeRaw(query));
  return queryable;
}
