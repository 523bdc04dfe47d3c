import { writeEvent } from '@service/http/event-stream';
import { createSingleFlight } from '@service/single-flight';
import { type ExecutionArgs, execute } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ExecutionContext, ServerContext, ToServiceError } from './context.ts';
import { logFailures, maskError, thrownErrorsOf } from './errors.ts';
import { withErrorCode } from './response-format.ts';

/** An event of a subscription; clients resume from its id. */
export type IdentifiedEvent = Readonly<Record<string, unknown>> & { readonly id: string };

export interface EventOptions<Context> {
  readonly toServiceError: ToServiceError;
  /** Distinguishes events: one may have the id of the event before it. */
  readonly eventKeyOf: (event: IdentifiedEvent) => string;
  /** The context of a subscription for its next event: values read for an earlier event may be outdated. */
  readonly contextForEvent: (context: Context) => Context;
}

type EventExecutor<Context> = (
  event: IdentifiedEvent,
  args: ExecutionArgs,
  context: Context & Pick<ServerContext, 'cacheKey'>,
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
export function createEventExecutor<Context extends ExecutionContext>(
  options: EventOptions<Context>,
): EventExecutor<Context> {
  const cached = new LRUCache<string, Buffer>({
    maxSize: bytesMax,
    sizeCalculation: ({ length }, key) => length + key.length + overheadBytes,
  });
  const share = createSingleFlight<Buffer>();
  const { toServiceError } = options;

  const executeFor = async (event: IdentifiedEvent, args: ExecutionArgs, { state }: Context): Promise<Buffer> => {
    const result = await execute({ ...args, rootValue: event });
    const { errors, data } = result;
    if (errors === undefined) return write(event, { data });
    logFailures(state.log, errors, toServiceError);
    const outage = thrownErrorsOf(result, toServiceError).find(({ code }) => code === 'UNAVAILABLE');
    if (outage !== undefined) throw outage;
    return write(event, { data, errors: errors.map((error) => withErrorCode(maskError(error, toServiceError))) });
  };

  return (event, args, context) => {
    const key = `${options.eventKeyOf(event)}\n${context.cacheKey}`;
    const bytes = cached.get(key);
    if (bytes !== undefined) return Promise.resolve(bytes);
    return share(key, async () => {
      const executed = await executeFor(event, { ...args, contextValue: options.contextForEvent(context) }, context);
      cached.set(key, executed);
      return executed;
    });
  };
}

function write({ id }: IdentifiedEvent, result: object): Buffer {
  return writeEvent({ event: 'next', id, data: JSON.stringify(result) });
}
