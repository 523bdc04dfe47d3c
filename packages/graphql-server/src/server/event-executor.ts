import { writeEvent } from '@service/http/event-stream';
import { createSingleFlight } from '@service/single-flight';
import { type ExecutionArgs, execute } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createLoaders } from '../../../../src/academics/sql/loaders.ts';
import type { RequestContext } from '../../../../src/context.ts';
import { maskError, thrownErrorsOf } from '../../../../src/graphql/errors.ts';
import type { WithCacheKey } from './response-cache.ts';
import { logFailures, withErrorCode } from './response-format.ts';

/** An event of a subscription; clients resume from its id, which a RELOAD may have in common with the event before it. */
export interface IdentifiedEvent {
  readonly id: string;
  readonly action: string;
  readonly programId: number | null;
}

type EventExecutor = (
  event: IdentifiedEvent,
  args: ExecutionArgs,
  context: RequestContext & WithCacheKey,
) => Promise<Buffer>;

/** Maximum size of the cached results, for subscribers that have not read theirs yet. */
const bytesMax = 16_000_000;
/** Size of an entry beside its bytes. */
const overheadBytes = 300;

/**
 * Executes subscription events: single-flight and a cache in front of GraphQL. Subscribers with the same request and
 * the same permissions share one execution per event, and its serialized bytes.
 * @throws ServiceError `UNAVAILABLE` during an outage, so that the client reconnects and receives the event then.
 */
export function createEventExecutor(): EventExecutor {
  const cached = new LRUCache<string, Buffer>({
    maxSize: bytesMax,
    sizeCalculation: ({ length }, key) => length + key.length + overheadBytes,
  });
  const share = createSingleFlight<Buffer>();

  return (event, args, context) => {
    const { id, action, programId } = event;
    const key = `${id}\n${action}\n${programId}\n${context.cacheKey}`;
    const bytes = cached.get(key);
    if (bytes !== undefined) return Promise.resolve(bytes);
    return share(key, async () => {
      const executed = await executeFor(event, args, context);
      cached.set(key, executed);
      return executed;
    });
  };
}

async function executeFor(event: IdentifiedEvent, args: ExecutionArgs, context: RequestContext): Promise<Buffer> {
  // The loaders of an earlier event may hold outdated records.
  const contextValue: RequestContext = { ...context, loaders: createLoaders(context.db) };
  const result = await execute({ ...args, contextValue, rootValue: event });
  const { errors, data } = result;
  if (errors === undefined) return write(event, { data });
  logFailures(errors, context);
  const outage = thrownErrorsOf(result).find(({ code }) => code === 'UNAVAILABLE');
  if (outage !== undefined) throw outage;
  return write(event, { data, errors: errors.map((error) => withErrorCode(maskError(error))) });
}

function write({ id }: IdentifiedEvent, result: object): Buffer {
  return writeEvent({ event: 'next', id, data: JSON.stringify(result) });
}
