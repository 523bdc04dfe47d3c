import { type ExecutionArgs, execute } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../context.ts';
import { createLoaders } from '../database/loaders.ts';
import { writeEvent } from '../http/event-stream.ts';
import { coded, logFailures } from './answers.ts';
import type { Asked } from './keeping.ts';
import { publicError, shownError, thrownBehind } from './public-error.ts';

/** An event of a subscription; its id is what clients go on from. */
export interface IdentifiedEvent {
  readonly id: string;
}

/** Executes a subscription for one event, and writes the result as it is sent. */
type Telling = (event: IdentifiedEvent, args: ExecutionArgs, context: RequestContext & Asked) => Promise<Buffer>;

/** What is kept of results for those who have not taken theirs yet. */
const bytesMost = 16_000_000;
/** What an entry takes beside its bytes. */
const overheadBytes = 300;

/**
 * Makes the telling of events. Those who subscribed with the same request, and may see the same, share one execution of
 * each event and the bytes of its result, however many they are.
 *
 * @returns a function that throws when the service is unavailable: then the client should come back for this event.
 */
export function createTelling(): Telling {
  const told = new LRUCache<string, Buffer>({
    maxSize: bytesMost,
    sizeCalculation: ({ length }, key) => length + key.length + overheadBytes,
  });
  const underWay = new Map<string, Promise<Buffer>>();

  return (event, args, context) => {
    const key = `${event.id}\n${context.resultKey}`;
    const known = told.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const telling = executeFor(event, args, context)
      .then((bytes) => {
        told.set(key, bytes);
        return bytes;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, telling);
    return telling;
  };
}

async function executeFor(event: IdentifiedEvent, args: ExecutionArgs, context: RequestContext): Promise<Buffer> {
  // What was read for an earlier event may be old.
  const contextValue: RequestContext = { ...context, load: createLoaders(context.db) };
  const result = await execute({ ...args, contextValue, rootValue: event });
  const { errors, data } = result;
  if (errors === undefined) return write(event, { data });
  logFailures(errors, context);
  const outage = errors
    .map(thrownBehind)
    .map(publicError)
    .find(({ code }) => code === 'UNAVAILABLE');
  if (outage !== undefined) throw outage;
  return write(event, { data, errors: errors.map((error) => coded(shownError(error))) });
}

function write({ id }: IdentifiedEvent, result: object): Buffer {
  return writeEvent({ event: 'next', id, data: JSON.stringify(result) });
}
