import { ServiceError } from '@service/errors';
import { createEventStreams, eventStreamType, writeEvent } from '@service/http/event-stream';
import { jsonType } from '@service/http/send';
import { createTurns } from '@service/http/turns';
import { createSourceEventStream, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { ExecutionContext, ServerContext, ToServiceError } from './context.ts';
import { graphqlError, logFailure, logFailures, originalErrorOf } from './errors.ts';
import { createEventExecutor, type EventOptions, type IdentifiedEvent } from './event-executor.ts';
import { acceptsEvents } from './request.ts';

interface SerializedResult extends ExecutionResult {
  readonly bytes: Buffer;
}

/**
 * Subscriptions over server-sent events (SSE): "GraphQL over Server-Sent Events", distinct connections mode. A stream is
 * open (an event `next` per result), completed (the event `complete`), or cut off (ended without it, by a stop of the
 * service or an outage): then the client should reconnect with `Last-Event-ID`. Yoga by itself would execute and
 * serialize each event once per subscriber; here the event executor returns shared bytes.
 */
export function useServerSentEvents<Context extends ExecutionContext>(
  options: EventOptions<Context>,
): Plugin<Context & Pick<ServerContext, 'cacheKey' | 'requestLength'>, ServerContext> {
  const { toServiceError, sharersOf } = options;
  const streams = createEventStreams();
  const executeEvent = createEventExecutor(options);
  /** Bytes of the requests of each caller's open subscriptions. */
  const bytesByOwner = new Map<string, number>();
  return {
    onSubscribe: ({ args: { contextValue }, setSubscribeFn }) => {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const { owner } = sharersOf(contextValue);
        const bytes = contextValue.requestLength;
        const open = (bytesByOwner.get(owner) ?? 0) + bytes;
        if (open > ownerBytesMax) return { data: null, errors: [graphqlError(tooLong())] };
        bytesByOwner.set(owner, open);
        contextValue.state.onClosed(() => {
          const left = (bytesByOwner.get(owner) ?? 0) - bytes;
          if (left > 0) bytesByOwner.set(owner, left);
          else bytesByOwner.delete(owner);
        });
        const events = await createSourceEventStream(args);
        if (!isAsyncIterable(events)) return rejected(events, contextValue, toServiceError);
        const execute = (event: IdentifiedEvent, hasEnded: () => boolean): Promise<Buffer | undefined> =>
          executeEvent(event, args, contextValue, hasEnded);
        return executeEach(events[Symbol.asyncIterator](), owner, execute, (problem) => {
          // The client should reconnect: to another instance, or after the outage.
          const error = toServiceError(problem);
          if (error.code !== 'UNAVAILABLE') logFailure(contextValue.state.log, error);
        });
      });
    },
    onResponse: ({ response: { headers: given } }) => {
      // Yoga's, for a query whose result is sent as an event: `none` is no content coding, and the caching is ours.
      if (given.get('content-encoding') !== 'none') return;
      for (const name of ['content-encoding', 'cache-control']) given.delete(name);
    },
    onResultProcess: ({ request, result, serverContext, setResultProcessor }) => {
      if (!isAsyncIterable<ExecutionResult>(result)) return;
      const results = result[Symbol.asyncIterator]();
      if (acceptsEvents(request.headers.get('accept'))) {
        setResultProcessor((_result, { Response }) => {
          const body = streams.open(bytesOf(results));
          // Yoga does not destroy the body of a response whose client has disconnected before it is sent.
          serverContext.requestContext.state.onClosed(() => body.destroy());
          // Yoga's Response takes a Node.js stream, but its type allows only web streams.
          return new Response(body as unknown as ReadableStream, { headers });
        }, eventStreamType);
      } else {
        setResultProcessor(async (_result, { Response }) => {
          await results.return?.();
          return new Response(JSON.stringify(notAcceptable), { status: 406, headers: { 'Content-Type': jsonType } });
        }, 'application/json');
      }
    },
  };
}

const completed = writeEvent({ event: 'complete', data: '' });

const headers = {
  'Content-Type': eventStreamType,
  // No other request will come on this connection.
  Connection: 'close',
  // nginx would buffer the events.
  'X-Accel-Buffering': 'no',
};

const notAcceptable = {
  errors: [
    {
      message: `Subscriptions require \`Accept: ${eventStreamType}\`.`,
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ],
};

/** Sends an error of the resolver, which is one of execution, like that of a query (`docs/contract.md` 7). */
function rejected(
  result: ExecutionResult,
  { state }: ExecutionContext,
  toServiceError: ToServiceError,
): ExecutionResult {
  const { errors = [] } = result;
  if (errors.map(originalErrorOf).every((thrown) => thrown === undefined)) return result;
  logFailures(state.log, errors, toServiceError);
  return { data: null, errors };
}

/**
 * Bytes of requests whose subscriptions a caller has open, all together: each is kept with its parsed document, which takes
 * up to a hundred times as many.
 */
const ownerBytesMax = 1_000_000;
const tooLong = (): ServiceError =>
  new ServiceError(
    'RATE_LIMITED',
    `The requests of your open subscriptions have more than ${ownerBytesMax.toLocaleString('en')} bytes together. Close some first.`,
    { retryAfterSeconds: 1 },
  );

/** Events that are executed or sent in one turn of the event loop: a change may have a thousand, for as many subscribers. */
const eventsPerTurn = 200;
/** An end takes as long as so many: a response is completed and logged, its connection closed. */
const eventsOfEnd = 4;
/** Milliseconds after which no more of them begin in it: to execute one may take ten. */
const turnMs = 30;
const turnFor = createTurns(eventsPerTurn, turnMs);

/**
 * Executes each event when the client has read the one before: backpressure reaches the change feed. Those of each owner take
 * turns with others, and so do ends: a key may have a thousand subscriptions when it is revoked.
 */
function executeEach(
  events: AsyncIterator<unknown>,
  owner: string,
  execute: (event: IdentifiedEvent, hasEnded: () => boolean) => Promise<Buffer | undefined>,
  onFailed: (problem: unknown) => void,
): AsyncIterableIterator<SerializedResult> {
  let ended = false;
  const end = async (): Promise<IteratorResult<SerializedResult>> => {
    ended = true;
    await events.return?.();
    return { done: true, value: undefined };
  };
  const takeTurn = (amount: number): Promise<void> | undefined => turnFor(amount, () => owner);
  const isOver = (): boolean => ended || hasEnded(events);
  /** `undefined` when the subscription has ended meanwhile: nothing more is sent then. */
  const executeInTurn = async (event: unknown): Promise<Buffer | undefined> => {
    if (!isIdentified(event)) throw new Error('The subscription yielded an event without an id.');
    await takeTurn(1);
    if (isOver()) return undefined;
    const bytes = await execute(event, isOver);
    // Thousands may have waited for one execution.
    await takeTurn(1);
    return isOver() ? undefined : bytes;
  };
  return {
    next: async () => {
      if (ended) return end();
      try {
        const { done, value } = await events.next();
        const bytes = done ? undefined : await executeInTurn(value);
        if (bytes !== undefined) return { done: false, value: { bytes } };
        if (ended) return end();
        // Throws the reason of the end, if it is one to throw.
        if (!done) await events.next();
        ended = true;
        await takeTurn(eventsOfEnd);
        return { done: false, value: { bytes: completed } };
      } catch (problem) {
        await takeTurn(eventsOfEnd);
        onFailed(problem);
        return end();
      }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The bytes of each result; Yoga passes the results of `executeEach` through unchanged. */
function bytesOf(results: AsyncIterator<ExecutionResult>): AsyncIterator<Buffer> {
  return {
    next: async () => {
      const { done, value } = await results.next();
      return done ? { done, value: undefined } : { done: false, value: bytesIn(value) };
    },
    return: async () => {
      await results.return?.();
      return { done: true, value: undefined };
    },
  };
}

function bytesIn(result: ExecutionResult): Buffer {
  if ('bytes' in result && Buffer.isBuffer(result.bytes)) return result.bytes;
  throw new Error('The subscription yielded a result that is not serialized.');
}

/** Whether a source that can tell has ended since its last event. */
function hasEnded(events: object): boolean {
  return 'isEnded' in events && typeof events.isEnded === 'function' && events.isEnded() === true;
}

function isIdentified(event: unknown): event is IdentifiedEvent {
  return typeof event === 'object' && event !== null && 'id' in event && typeof event.id === 'string';
}
