import type { IncomingMessage } from 'node:http';
import { eventStreamType } from '@service/http/event-stream';
import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { z } from 'zod';

/** Sends results itself, and gives the library none: that would parse and write them once more. */
export type ResultStream = AsyncIterableIterator<ExecutionResult> & {
  return(): Promise<IteratorReturnResult<undefined>>;
};

interface ResultsOptions {
  /** Sends a result, the bytes of its JSON in parts. */
  readonly send: (json: readonly Buffer[]) => Promise<void>;
  readonly onCutOff: () => void;
}

const rejection = z.object({ errors: z.array(z.looseObject({ message: z.string() })).default([]) });

/** Sends the results in an HTTP response; a stream without the event `complete` at its end is cut off. */
export function resultsOf(response: IncomingMessage, { send, onCutOff }: ResultsOptions): ResultStream {
  const isStream = response.headers['content-type']?.startsWith(eventStreamType) === true;
  const results = isStream ? streamed(response, onCutOff) : single(response);
  let ended = false;
  const done = { done: true, value: undefined } as const;
  return {
    next: async () => {
      try {
        for await (const json of results) await send(json);
      } catch (problem) {
        if (!ended) throw problem;
      }
      return done;
    },
    // A generator's own `return` would wait for the next event.
    return: async () => {
      ended = true;
      response.destroy();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The one result of an operation that was executed; others have another status. */
async function* single(response: IncomingMessage): AsyncGenerator<readonly Buffer[], undefined> {
  const json: Buffer[] = [];
  for await (const part of response) json.push(part);
  if (response.statusCode !== 200) throw new RejectedOperation(errorsIn(Buffer.concat(json).toString()));
  yield json;
  return undefined;
}

const errorsIn = (json: string): readonly GraphQLFormattedError[] => rejection.parse(JSON.parse(json)).errors;

/** The results in server-sent events, as the service writes them (`@service/http/event-stream`). */
async function* streamed(
  response: IncomingMessage,
  onCutOff: () => void,
): AsyncGenerator<readonly Buffer[], undefined> {
  let event = '';
  for await (const line of linesOf(response)) {
    const colon = line.indexOf(':');
    const field = line.toString('latin1', 0, Math.max(0, colon));
    const value = line.subarray(colon + 2);
    if (field === 'event') event = value.toString();
    if (field !== 'data') continue;
    if (event === 'complete') return undefined;
    if (event === 'next') yield [value];
  }
  onCutOff();
  return undefined;
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const part of response) {
    let bytes: Buffer = part;
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n')) {
      yield Buffer.concat([...rest, bytes.subarray(0, end)]);
      rest = [];
      bytes = bytes.subarray(end + 1);
    }
    rest.push(bytes);
  }
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
