import { onTestFinished } from 'vitest';
import { adminKey, type TestServer } from './server.ts';

/** A server-sent event as received. */
interface ReceivedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** An open response of type text/event-stream. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** Waits for the next event; `undefined` at the end of the response. */
  next(): Promise<ReceivedEvent | undefined>;
  /** The parsed data of the next event, which must be a result. */
  result(): Promise<unknown>;
  /** All events up to the end of the response. */
  rest(): Promise<ReceivedEvent[]>;
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
  const events = parseEvents(response);
  const next = async (): Promise<ReceivedEvent | undefined> => {
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
      const all: ReceivedEvent[] = [];
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
async function* parseEvents({ body }: Response): AsyncGenerator<ReceivedEvent, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => fieldOf(line)));
      const data = fields.get('data');
      if (data !== undefined) yield { event: fields.get('event') ?? 'message', id: fields.get('id'), data };
    }
  }
  return undefined;
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}
