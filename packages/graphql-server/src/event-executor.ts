import { writeEvent } from '@service/http/event-stream';
import { createSingleFlight, type Sharing } from '@service/single-flight';
import type { ExecutionArgs } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ExecutionContext, ServerContext, ToServiceError } from './context.ts';
import { logFailures, maskError, thrownErrorsOf } from './errors.ts';
import { executeWithinLimits, limitedJson, startTally, tooLarge } from './limits/response-tally.ts';
import { withErrorCode } from './response-format.ts';

/** An event of a subscription; clients resume from its id. */
export type IdentifiedEvent = Readonly<Record<string, unknown>> & { readonly id: string };

export interface EventOptions<Context> {
  readonly toServiceError: ToServiceError;
  /** Distinguishes events: one may have the id of the event before it. */
  readonly eventKeyOf: (event: IdentifiedEvent) => string;
  /** The context of a subscription for its next event: values read for an earlier event may be outdated. */
  readonly contextForEvent: (context: Context) => Context;
  /**
   * Whose subscriptions share the bytes and executions of an event, however they spell it; and who waits for an execution, so
   * that it uses the share of any of them.
   */
  readonly sharersOf: (context: Context) => Sharing;
  readonly responseBytesMax: number;
}

/** What one caller's subscriptions have made of an event: the bytes of each spelling. */
type Share = Map<string, number>;

/** @returns `undefined` if the subscription has ended before the turn of its caller's next execution. */
type EventExecutor<Context> = (
  event: IdentifiedEvent,
  args: ExecutionArgs,
  context: Context & Pick<ServerContext, 'cacheKey'>,
  hasEnded: () => boolean,
) => Promise<Buffer | undefined>;

/** An execution that subscriptions of one caller wait for. */
interface Awaited {
  readonly bytes: Promise<Buffer | undefined>;
  /** Whether each of them has ended. */
  readonly haveEnded: (() => boolean)[];
}

interface Executed {
  readonly bytes: Buffer;
  /** Whether the share of the event of whoever executed it was not enough. */
  readonly isExhausted: boolean;
}

/** Maximum size of the cached results, for subscribers that have not read theirs yet. */
const bytesMax = 16_000_000;
/** Size of an entry beside its bytes. */
const overheadBytes = 300;
/** Different documents of one caller that are executed for an event. */
const executionsMax = 200;
/** Shares of the last events that are kept. */
const sharesMax = 1_000;

/**
 * Executes subscription events: single-flight and a cache in front of GraphQL. Subscribers with the same request and
 * the same permissions share one execution per event, and its serialized bytes; those of one caller, in whatever spelling, the
 * bytes of one response.
 * @throws ServiceError `UNAVAILABLE` during an outage, so that the client reconnects and receives the event then.
 */
export function createEventExecutor<Context extends ExecutionContext>(
  options: EventOptions<Context>,
): EventExecutor<Context> {
  const cached = new LRUCache<string, Buffer>({
    maxSize: bytesMax,
    sizeCalculation: ({ length }, key) => length + key.length + overheadBytes,
  });
  const share = createSingleFlight<Executed>();
  /** By request and caller. */
  const awaited = new Map<string, Awaited>();
  const { toServiceError, responseBytesMax } = options;
  const tooLargeJson = JSON.stringify(tooLarge(responseBytesMax));

  /** The last execution of each caller who has one, of any event: a change may have a thousand. */
  const lastOf = new Map<string, Promise<unknown>>();
  /** Executes when those before it have ended, one of a caller at a time. */
  const executeNext = <Result>(owner: string, execute: () => Promise<Result>): Promise<Result> => {
    const turn = (lastOf.get(owner) ?? Promise.resolve()).then(execute);
    const end = (): void => {
      if (lastOf.get(owner) === ended) lastOf.delete(owner);
    };
    const ended = turn.then(end, end);
    lastOf.set(owner, ended);
    return turn;
  };

  /** The callers' shares, by event. */
  const shares = new LRUCache<string, Share>({ max: sharesMax });

  const executeFor = async (args: ExecutionArgs, contextValue: Context, used: number): Promise<string> => {
    const { state } = contextValue;
    startTally(contextValue, state.account, responseBytesMax, used);
    const result = await executeWithinLimits({ ...args, contextValue });
    const { errors, data } = result;
    if (errors === undefined) return limitedJson(JSON.stringify({ data }), responseBytesMax, used);
    logFailures(state.log, errors, toServiceError);
    const outage = thrownErrorsOf(result, toServiceError).find(({ code }) => code === 'UNAVAILABLE');
    if (outage !== undefined) throw outage;
    const masked = errors.map((error) => withErrorCode(maskError(error, toServiceError)));
    return limitedJson(JSON.stringify({ data, errors: masked }), responseBytesMax, used);
  };

  /** Executes within what the caller's other subscriptions have left of their share of the event. */
  const executeWithin = async (bytes: Share, key: string, execute: (used: number) => Promise<string>) => {
    const used = [...bytes].reduce((sum, [other, ofOther]) => sum + (other === key ? 0 : ofOther), 0);
    const json = used < responseBytesMax ? await execute(used) : tooLargeJson;
    bytes.set(key, Math.max(Buffer.byteLength(json), responseBytesMax / executionsMax));
    return { json, isExhausted: used > 0 && json === tooLargeJson };
  };

  /** Shares an execution among the subscriptions of one caller; does without it when all of them have ended before its turn. */
  const executeForOpen = (
    key: string,
    owner: string,
    hasEnded: () => boolean,
    execute: () => Promise<Buffer>,
  ): Promise<Buffer | undefined> => {
    const ownKey = `${key}\n${owner}`;
    const joined = awaited.get(ownKey);
    if (joined !== undefined) {
      joined.haveEnded.push(hasEnded);
      return joined.bytes;
    }
    const haveEnded = [hasEnded];
    const forget = (): void => {
      if (awaited.get(ownKey)?.haveEnded === haveEnded) awaited.delete(ownKey);
    };
    const bytes = executeNext(owner, async () => {
      if (!haveEnded.every((ended) => ended())) return execute();
      forget();
      return undefined;
    });
    awaited.set(ownKey, { bytes, haveEnded });
    bytes.then(forget, forget);
    return bytes;
  };

  return async (event, args, context, hasEnded) => {
    const eventKey = options.eventKeyOf(event);
    const key = `${eventKey}\n${context.cacheKey}`;
    const { owner } = options.sharersOf(context);
    const shareKey = `${eventKey}\n${owner}`;
    const known = cached.get(key);
    if (known !== undefined) return known;
    const own = shares.get(shareKey) ?? new Map();
    shares.set(shareKey, own);

    /** Another caller may have executed it meanwhile, or execute it now, and may have nothing left. */
    const executeOrJoin = async (): Promise<Buffer> => {
      const bytes = cached.get(key);
      if (bytes !== undefined) return bytes;
      const contextValue = options.contextForEvent(context);
      let isOwn = false;
      const execute = async (): Promise<Executed> => {
        isOwn = true;
        const { json, isExhausted } = await executeWithin(own, context.cacheKey, (used) =>
          executeFor({ ...args, rootValue: event }, contextValue, used),
        );
        const bytes = writeEvent({ event: 'next', id: event.id, data: json });
        if (!isExhausted) cached.set(key, bytes);
        return { bytes, isExhausted };
      };
      const executed = await share(key, execute, options.sharersOf(contextValue));
      return (executed.isExhausted && !isOwn ? await execute() : executed).bytes;
    };
    // The executions of one caller follow each other; those of others wait for none of them.
    return executeForOpen(key, owner, hasEnded, executeOrJoin);
  };
}
