import type { IncomingMessage } from 'node:http';
import { eventStreamType } from '@service/http/event-stream';
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { z } from 'zod';

export type ResultStream = AsyncIterableIterator<ExecutionResult> & {
  return(): Promise<IteratorReturnResult<undefined>>;
};

const result = z.object({
  data: z.record(z.string(), z.unknown()).nullable().optional(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
});
/** The service writes each event in this form (`@service/http/event-stream`). */
const eventPattern = /^event: (\w+)\n(?:id: .*\n)?data: (.*)$/s;

/** Reads results from an HTTP response; a stream without the event `complete` at its end is cut off. */
export function resultsOf(response: IncomingMessage, onCutOff: () => void): ResultStream {
  const isStream = response.headers['content-type']?.startsWith(eventStreamType) === true;
  const results = isStream ? streamed(response, onCutOff) : single(response);
  let ended = false;
  const done = { done: true, value: undefined } as const;
  return {
    next: async () => {
      try {
        return await results.next();
      } catch (problem) {
        if (ended) return done;
        throw problem;
      }
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

async function* single(response: IncomingMessage): AsyncGenerator<ExecutionResult, undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  yield parsed(Buffer.concat(chunks).toString());
  return undefined;
}

async function* streamed(response: IncomingMessage, onCutOff: () => void): AsyncGenerator<ExecutionResult, undefined> {
  let text = '';
  response.setEncoding('utf8');
  for await (const part of response) {
    const blocks = `${text}${part}`.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data = ''] = eventPattern.exec(block) ?? [];
      if (event === 'complete') return undefined;
      if (event === 'next') yield parsed(data);
    }
  }
  onCutOff();
  return undefined;
}

function parsed(text: string): ExecutionResult {
  const { data, errors = [] } = result.parse(JSON.parse(text));
  if (data === undefined) throw new RejectedOperation(errors);
  return { data, ...(errors.length > 0 && { errors: errors.map((error) => new FormattedError(error)) }) };
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

/** Keeps an error as it was written for a response, locations included. */
class FormattedError extends GraphQLError {
  private readonly formatted: GraphQLFormattedError;

  constructor(formatted: GraphQLFormattedError) {
    super(formatted.message);
    this.formatted = formatted;
  }

  override toJSON(): GraphQLFormattedError {
    return this.formatted;
  }
}
