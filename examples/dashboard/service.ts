import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { TypedDocumentString } from './generated/operations.ts';

export interface Service {
  readonly url: string;
  readonly key: string;
}

interface Result<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** An error response of the service. */
class ServiceError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Sends an operation, and resolves with the response's headers. */
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
  if (!response.ok) throw new ServiceError(await messageOf(response), response.status);
  return response;
}

/** The message of an error response. */
async function messageOf(response: Response): Promise<string> {
  const { message, errors = [] }: { message?: string } & Result<unknown> = await response.json();
  return message ?? errors.map((error) => error.message).join(' ');
}

/** The data of a result. @throws Error when it has errors. */
function dataOf<Data>({ data, errors = [] }: Result<Data>): Data {
  if (data == null || errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '));
  return data;
}

/** Runs a query; data and variables are typed from its document. */
export async function query<Data, Variables>(
  service: Service,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await send(service, document, variables, { Accept: 'application/graphql-response+json' });
  const result: Result<Data> = await response.json();
  return dataOf(result);
}

/**
 * Subscribes, and reconnects when the connection is lost: with `Last-Event-ID`, the service resumes after the last event.
 * Ends when the service completes the subscription.
 *
 * @param onOpen called each time the subscription is open.
 */
export async function* subscribe<Data, Variables>(
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
      const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { event, id, data } of events ?? []) {
        if (event === 'complete') return;
        lastEventId = id ?? lastEventId;
        const result: Result<Data> = JSON.parse(data);
        yield dataOf(result);
      }
    } catch (problem) {
      // `fetch` rejects with a TypeError on network errors. A 503 is temporary too: the service may be restarting.
      const isTemporary = problem instanceof TypeError || (problem instanceof ServiceError && problem.status === 503);
      if (isFirst || !isTemporary) throw problem;
    }
    await pause(1_000);
  }
}
