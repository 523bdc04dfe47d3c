import { setTimeout as pause } from 'node:timers/promises';
import type { TypedDocumentString } from './generated/operations.ts';

/** Where the service is, and who asks. */
export interface Service {
  readonly url: string;
  readonly key: string;
}

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** The service has answered, and not with what was asked for. */
class Refusal extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Sends an operation, and waits until its answer begins. */
async function send(
  { url, key }: Service,
  document: { toString(): string },
  variables: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-api-key': key, ...headers },
    body: JSON.stringify({ query: document.toString(), variables }),
  });
  if (!response.ok) throw new Refusal(await problemOf(response), response.status);
  return response;
}

/** What the service says of a request that it refused. */
async function problemOf(response: Response): Promise<string> {
  const { message, errors = [] }: { message?: string } & Answer<unknown> = await response.json();
  return message ?? errors.map((error) => error.message).join(' ');
}

/** The data; what the service refused is thrown with its message. */
function dataOf<Data>({ data, errors = [] }: Answer<Data>): Data {
  if (data == null || errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '));
  return data;
}

/** Asks for the data of a query: it has the types of the query's own fields. */
export async function ask<Data, Variables>(
  service: Service,
  query: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await send(service, query, variables, { Accept: 'application/graphql-response+json' });
  const answer: Answer<Data> = await response.json();
  return dataOf(answer);
}

/**
 * Follows a subscription, through losses of the connection too: the service is told the last event that came, and goes
 * on with the next. Ends when the service says that there will be nothing more.
 *
 * @param onOpen called each time that the service has begun to answer.
 */
export async function* follow<Data, Variables>(
  service: Service,
  subscription: TypedDocumentString<Data, Variables>,
  variables: Variables,
  onOpen: (isFirst: boolean) => void,
): AsyncGenerator<Data> {
  let lastEventId: string | undefined;
  for (let isFirst = true; ; isFirst = false) {
    try {
      const headers = { Accept: 'text/event-stream', ...(lastEventId && { 'Last-Event-ID': lastEventId }) };
      const response = await send(service, subscription, variables, headers);
      onOpen(isFirst);
      for await (const { event, id, data } of eventsOf(response)) {
        if (event === 'complete') return;
        lastEventId = id ?? lastEventId;
        const answer: Answer<Data> = JSON.parse(data);
        yield dataOf(answer);
      }
    } catch (problem) {
      // `fetch` rejects with a TypeError when the network fails. What else may pass: the service is just starting anew.
      const mayPass = problem instanceof TypeError || (problem instanceof Refusal && problem.status === 503);
      if (isFirst || !mayPass) throw problem;
    }
    await pause(1_000);
  }
}

/** Server-sent events, as they come; comments, which keep the connection alive, are passed over. */
async function* eventsOf({ body }: Response): AsyncGenerator<{ event: string; id?: string; data: string }> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + part).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n').map((line) => line.split(/: ?(.*)/, 2));
      const { event, data = '', ...rest } = Object.fromEntries(lines);
      if (event !== undefined) yield { event, data, ...rest };
    }
  }
}
