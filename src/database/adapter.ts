import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** The same factory of adapters, each of which is changed before it is used. */
export function changing(
  factory: SqlDriverAdapterFactory,
  change: (adapter: SqlDriverAdapter) => void,
): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      change(adapter);
      return adapter;
    },
  };
}
