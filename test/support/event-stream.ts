import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { onTestFinished } from 'vitest';
import { adminKey, type TestServer } from './server.ts';

/** An open response of type text/event-stream. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** Waits for the next event; `undefined` at the end of the response. */
  next(): Promise<EventSourceMessage | undefined>;
  /** The parsed data of the next event, which must be a result. */
  result(): Promise<unknown>;
  /** All events up to the end of the response. */
  rest(): Promise<EventSourceMessage[]>;
  /** Aborts the request, as a closed browser tab does. */
  close(): void;
}

interface Request {
  readonly variables?: object;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a subscription and waits for the response headers; aborted when the test ends at the latest. */
export async function subscribe(
  server: Pick<TestServer, 'url'>,
  query: string,
  { variables = {}, key = adminKey, headers = {} }: Request = {},
): Promise<EventStream> {
  const control = new AbortController();
  onTestFinished(() => control.abort());
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': key, ...headers },
    body: JSON.stringify({ query, variables }),
    signal: control.signal,
  });
  const events = eventsOf(response);
  const next = async (): Promise<EventSourceMessage | undefined> => {
    const { done, value } = await events.next();
    return done ? undefined : value;
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    result: async () => {
      const event = await next();
      if (event?.event !== 'next') throw new Error(`Expected a result, got ${JSON.stringify(event)}.`);
      return JSON.parse(event.data);
    },
    rest: async () => {
      const all: EventSourceMessage[] = [];
      for await (const event of events) all.push(event);
      return all;
    },
    close: () => control.abort(),
  };
}

/** The number of open subscriptions, from the instance's metrics. */
export async function openSubscriptions({ url }: Pick<TestServer, 'url'>): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^graphql_active_subscriptions (\d+)$/m.exec(text)?.[1]);
}

/** Parses an event stream (WHATWG HTML 9.2.6). */
async function* eventsOf({ body }: Response): AsyncGenerator<EventSourceMessage, undefined> {
  const text = body?.pipeThrough(new TextDecoderStream());
  yield* text?.pipeThrough(new EventSourceParserStream()) ?? [];
  return undefined;
}
