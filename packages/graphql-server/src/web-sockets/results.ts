import type { IncomingMessage } from 'node:http';
import { eventStreamType } from '@service/http/event-stream';
import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { z } from 'zod';

/** Sends results itself, and gives the library none: that would parse and write them once more. */
export type ResultStream = AsyncIterableIterator<ExecutionResult> & {
  return(): Promise<IteratorReturnResult<undefined>>;
};

interface ResultsOptions {
  /** Sends a result, the bytes of its JSON in parts, at the pace of its client; returns whether others may follow. */
  readonly send: (json: AsyncIterable<Buffer>) => Promise<boolean>;
  readonly onCutOff: () => void;
}

const rejection = z.object({ errors: z.array(z.looseObject({ message: z.string() })).default([]) });

/**
 * Sends the results in an HTTP response, of which no more is read than is sent: each of many subscriptions would hold
 * a copy of an event. A stream without the event `complete` at its end is cut off.
 */
export function resultsOf(response: IncomingMessage, { send, onCutOff }: ResultsOptions): ResultStream {
  const isStream = response.headers['content-type']?.startsWith(eventStreamType) === true;
  const results = isStream ? streamed(response, onCutOff) : single(response);
  let isSending = false;
  let ended = false;
  const done = { done: true, value: undefined } as const;
  return {
    next: async () => {
      try {
        for await (const json of results) {
          isSending = true;
          const isOpen = await send(json);
          isSending = false;
          if (ended || !isOpen) break;
        }
      } catch (problem) {
        if (!ended) throw problem;
      } finally {
        response.destroy();
      }
      return done;
    },
    // A generator's own `return` would wait for the next event. A message of which a part is sent has to end.
    return: async () => {
      ended = true;
      if (!isSending) response.destroy();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The one result of an operation that was executed; others have another status. */
async function* single(response: IncomingMessage): AsyncGenerator<AsyncIterable<Buffer>, undefined> {
  if (response.statusCode === 200) yield response;
  else {
    const json: Buffer[] = [];
    for await (const part of response) json.push(part);
    throw new RejectedOperation(errorsIn(Buffer.concat(json).toString()));
  }
  return undefined;
}

const errorsIn = (json: string): readonly GraphQLFormattedError[] => rejection.parse(JSON.parse(json)).errors;

/** The results in server-sent events, as the service writes them (`@service/http/event-stream`). */
async function* streamed(
  response: IncomingMessage,
  onCutOff: () => void,
): AsyncGenerator<AsyncIterable<Buffer>, undefined> {
  const { until, isEnded } = readerOf(response);
  let event = '';
  while (!isEnded()) {
    // Blank lines come before a name, and a comment has none.
    const field = (await textOf(until(':'))).trim();
    if (field !== '') await textOf(until(' '));
    if (field === 'data' && event === 'complete') return undefined;
    if (field === 'data' && event === 'next') yield until('\n');
    else {
      const value = await textOf(until('\n'));
      if (field === 'event') event = value;
    }
  }
  onCutOff();
  return undefined;
}

async function textOf(parts: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part.toString();
  return text;
}

/** Reads a response up to one end after the other. */
function readerOf(response: IncomingMessage) {
  const parts: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
  let bytes: Buffer = Buffer.alloc(0);
  let ended = false;
  return {
    /** The bytes before the next `end`, in the parts in which they arrive. */
    until: async function* (end: string): AsyncGenerator<Buffer> {
      let at = bytes.indexOf(end);
      while (at < 0) {
        if (bytes.length > 0) yield bytes;
        const { done, value } = await parts.next();
        ended = done === true;
        if (done) {
          bytes = Buffer.alloc(0);
          return;
        }
        bytes = value;
        at = bytes.indexOf(end);
      }
      const last = bytes.subarray(0, at);
      bytes = bytes.subarray(at + end.length);
      yield last;
    },
    isEnded: () => ended,
  };
}

/** An operation was not executed: the protocol reports that by the message `error`. */
export class RejectedOperation extends Error {
  override readonly name = 'RejectedOperation';
  readonly errors: readonly GraphQLFormattedError[];

  constructor(errors: readonly GraphQLFormattedError[]) {
    super('The operation was rejected.');
    this.errors = errors;
  }
}
