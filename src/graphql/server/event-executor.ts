import { type ExecutionArgs, execute } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../context.ts';
import { createLoaders } from '../../database/catalog/loaders.ts';
import { writeEvent } from '../../http/event-stream.ts';
import { maskError, originalErrorOf, toServiceError } from '../errors.ts';
import type { WithCacheKey } from './response-cache.ts';
import { logFailures, withErrorCode } from './response-format.ts';

/** An event of a subscription; its id is what clients go on from. */
export interface IdentifiedEvent {
  readonly id: string;
}

/** Executes a subscription for one event, and writes the result as it is sent. */
type EventExecutor = (
  event: IdentifiedEvent,
  args: ExecutionArgs,
  context: RequestContext & WithCacheKey,
) => Promise<Buffer>;

/** What is kept of results for those who have not taken theirs yet. */
const bytesMax = 16_000_000;
/** What an entry takes beside its bytes. */
const overheadBytes = 300;

/**
 * Makes the telling of events. Those who subscribed with the same request, and may see the same, share one execution of
 * each event and the bytes of its result, however many they are.
 *
 * @returns a function that throws when the service is unavailable: then the client should come back for this event.
 */
export function createEventExecutor(): EventExecutor {
  const told = new LRUCache<string, Buffer>({
    maxSize: bytesMax,
    sizeCalculation: ({ length }, key) => length + key.length + overheadBytes,
  });
  const inFlight = new Map<string, Promise<Buffer>>();

  return (event, args, context) => {
    const key = `${event.id}\n${context.cacheKey}`;
    const known = told.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const shared = inFlight.get(key);
    if (shared !== undefined) return shared;
    const telling = executeFor(event, args, context)
      .then((bytes) => {
        told.set(key, bytes);
        return bytes;
      })
      .finally(() => inFlight.delete(key));
    inFlight.set(key, telling);
    return telling;
  };
}

async function executeFor(event: IdentifiedEvent, args: ExecutionArgs, context: RequestContext): Promise<Buffer> {
  // What was read for an earlier event may be old.
  const contextValue: RequestContext = { ...context, loaders: createLoaders(context.db) };
  const result = await execute({ ...args, contextValue, rootValue: event });
  const { errors, data } = result;
  if (errors === undefined) return write(event, { data });
  logFailures(errors, context);
  const outage = errors
    .map(originalErrorOf)
    .map(toServiceError)
    .find(({ code }) => code === 'UNAVAILABLE');
  if (outage !== undefined) throw outage;
  return write(event, { data, errors: errors.map((error) => withErrorCode(maskError(error))) });
}

function write({ id }: IdentifiedEvent, result: object): Buffer {
  return writeEvent({ event: 'next', id, data: JSON.stringify(result) });
}
