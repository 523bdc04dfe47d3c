import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { Client } from 'pg';
import { changing } from './adapter.ts';
import type { Database, Transaction } from './client.ts';
import { connectionOf, readFrom } from './select.ts';

/** The connection of a transaction that is about to begin, once it has. */
interface Begun {
  connection?: Client;
}

const beginning = new AsyncLocalStorage<Begun>();

/** The same adapter, which tells whoever begins a transaction on which connection it runs. */
export function tellConnection(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return changing(factory, (adapter) => {
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => {
      const transaction = await start(level);
      const begun = beginning.getStore();
      // The adapter keeps its connection to itself. Should it be elsewhere one day, all goes by way of the client.
      const connection: unknown = Reflect.get(transaction, 'client');
      if (begun !== undefined && connection instanceof Client) begun.connection = connection;
      return transaction;
    };
  });
}

/**
 * Runs work in one transaction of the client: all of it is kept, or none. Statements of our own take its connection
 * straight, which costs a third of what the client takes.
 */
export function inTransaction<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const begun: Begun = {};
  return beginning.run(begun, () =>
    db.$transaction((tx) => {
      const source = connectionOf(db);
      if (source !== undefined && begun.connection !== undefined) {
        readFrom(tx, { ...source, connection: begun.connection, lanes: undefined });
      }
      return work(tx);
    }),
  );
}
