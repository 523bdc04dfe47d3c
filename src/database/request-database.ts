import { createLimit, type Limit, noLimit } from '@service/postgres/limit';
import { executorOf, registerExecutor } from '@service/postgres/sql';
import type { Database } from './types.ts';

/** However many fields and aliases a request has. */
const connectionsMax = 2;

/**
 * The database for the reads of one request, which queue for two connections of the pool. Its transactions do not.
 * Once `isOver`, those in the queue reject: after an error, a response does not wait for its other reads.
 */
export function databaseOfRequest(db: Database, isOver: () => boolean): Database {
  const executor = executorOf(db);
  const { limit: ofAll = noLimit } = executor;
  const ofRequest = createLimit(connectionsMax);
  const limit: Limit = (work) =>
    ofRequest(() => {
      if (isOver()) throw new Error('The response has been sent.');
      return ofAll(work);
    });
  const limited = new Proxy(db, {
    get: (client, name) => {
      const value: unknown = Reflect.get(client, name);
      if (name === '$queryRaw' || name === '$queryRawUnsafe') return limitCalls(client, value, limit);
      return typeof value === 'object' && value !== null ? limitModel(value, limit) : value;
    },
  });
  registerExecutor(limited, { ...executor, limit });
  return limited;
}

/** A model of Prisma's, such as `db.user`. */
function limitModel(model: object, limit: Limit): object {
  return new Proxy(model, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      return isBatched(name) ? value : limitCalls(target, value, limit);
    },
  });
}

/** Prisma makes one statement of all such calls of a turn of the event loop. */
function isBatched(method: string | symbol): boolean {
  return method === 'findUnique' || method === 'findUniqueOrThrow';
}

function limitCalls(target: object, method: unknown, limit: Limit): unknown {
  if (typeof method !== 'function') return method;
  return (...args: unknown[]) => limit(async () => Reflect.apply(method, target, args));
}
