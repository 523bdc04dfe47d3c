import { createSourceEventStream, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../context.ts';
import { createEventStreams, eventStreamType, writeEvent } from '../../http/event-stream.ts';
import { jsonType } from '../../http/send.ts';
import { logFailure, originalErrorOf, toServiceError } from '../errors.ts';
import { acceptsEvents } from './accept-header.ts';
import { createEventExecutor, type IdentifiedEvent } from './event-executor.ts';
import type { WithCacheKey } from './response-cache.ts';
import { logFailures, type ServerContext } from './response-format.ts';

/** What is sent of an event of a subscription, as it is sent. */
interface Sent extends ExecutionResult {
  readonly bytes: Buffer;
}

/**
 * Answers subscriptions with server-sent events, after the protocol "GraphQL over Server-Sent Events" in its distinct
 * connections mode: `next` with each result, `complete` when there will be none any more. An answer that ends without
 * it was cut off: its client should come back, and send the id of the last event as `Last-Event-ID`.
 */
export function useServerSentEvents(): Plugin<RequestContext & WithCacheKey, ServerContext> {
  const streams = createEventStreams();
  const tell = createEventExecutor();
  return {
    onSubscribe: ({ args: { contextValue }, setSubscribeFn }) => {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const events = await createSourceEventStream(args);
        if (!isAsyncIterable(events)) return refused(events, contextValue);
        return sending(events[Symbol.asyncIterator](), (event) => tell(event, args, contextValue), contextValue);
      });
    },
    onResultProcess: ({ request, result, serverContext, setResultProcessor }) => {
      if (!isAsyncIterable<ExecutionResult>(result)) return;
      const results = result[Symbol.asyncIterator]();
      if (acceptsEvents(request.headers.get('accept'))) {
        setResultProcessor((_result, { Response }) => {
          const body = streams.open(bytesOf(results));
          // A response whose client has left is never sent: nobody would destroy its body.
          serverContext.requestContext.onClosed(() => body.destroy());
          // Yoga's Response takes a stream of Node's as it is; its type is that of browsers, who know none.
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
  // Nothing else will be asked on this connection.
  Connection: 'close',
  // Proxies of the kind of nginx would otherwise wait for more before they send anything on.
  'X-Accel-Buffering': 'no',
};

const notAcceptable = {
  errors: [
    {
      message: `Subscriptions are answered as ${eventStreamType}: the header Accept must allow it.`,
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ],
};

/** When a resolver has refused, execution has begun: it is an answer like those of queries (`docs/contract.md` 7). */
function refused(result: ExecutionResult, context: RequestContext): ExecutionResult {
  const { errors = [] } = result;
  if (errors.map(originalErrorOf).every((thrown) => thrown === undefined)) return result;
  logFailures(errors, context);
  return { data: null, errors };
}

/** Sends each event when the client has taken the one before. */
function sending(
  events: AsyncIterator<unknown>,
  tell: (event: IdentifiedEvent) => Promise<Buffer>,
  { log }: RequestContext,
): AsyncIterableIterator<Sent> {
  let over = false;
  const end = async (): Promise<IteratorResult<Sent>> => {
    over = true;
    await events.return?.();
    return { done: true, value: undefined };
  };
  return {
    next: async () => {
      if (over) return end();
      try {
        const { done, value } = await events.next();
        over = done === true;
        if (over) return { done: false, value: { bytes: completed } };
        if (!isIdentified(value)) throw new Error('A subscription gave an event without an id.');
        return { done: false, value: { bytes: await tell(value) } };
      } catch (problem) {
        // The client should come back: to an instance that does not stop, or for what could not be read now.
        const error = toServiceError(problem);
        if (error.code !== 'UNAVAILABLE') logFailure(log, error);
        return end();
      }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What is sent of each result; Yoga has handed on what `sending` gave it. */
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
  throw new Error('A subscription gave a result that has not been written.');
}

function isIdentified(event: unknown): event is IdentifiedEvent {
  return typeof event === 'object' && event !== null && 'id' in event && typeof event.id === 'string';
}
