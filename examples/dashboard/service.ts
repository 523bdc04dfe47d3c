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

const attemptsMax = 4;

/** An error response. */
class ServiceError extends Error {
  readonly isTemporary: boolean;
  readonly retryAfterSeconds: number;

  constructor(message: string, { status, headers }: Response) {
    super(message);
    this.isTemporary = status === 429 || status >= 500;
    this.retryAfterSeconds = Number(headers.get('retry-after') ?? 1);
  }
}

/** Waits before another attempt. @throws the problem, when another attempt does not help. */
async function pauseAfter(problem: unknown): Promise<void> {
  // `fetch` rejects with a TypeError on network errors; a page of a proxy is no JSON.
  const isCut = problem instanceof TypeError || problem instanceof SyntaxError;
  if (!isCut && !(problem instanceof ServiceError && problem.isTemporary)) throw problem;
  await pause(1_000 * (problem instanceof ServiceError ? problem.retryAfterSeconds : 1));
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
  if (!response.ok) throw new ServiceError(await messageOf(response), response);
  return response;
}

/** The message of an error response; of a page of a proxy, its status. */
async function messageOf(response: Response): Promise<string> {
  const page = { message: `The response has the status ${response.status}.` };
  const { message, errors = [] }: { message?: string } & Result<unknown> = await response.json().catch(() => page);
  return message ?? errors.map((error) => error.message).join(' ');
}

/** The data of a result. @throws Error when it has errors. */
function dataOf<Data>({ data, errors = [] }: Result<Data>): Data {
  if (data == null || errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '));
  return data;
}

/** Runs a query, again when no whole response arrives or the service asks for it; data and variables are typed from its document. */
export async function query<Data, Variables>(
  service: Service,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await send(service, document, variables, { Accept: 'application/graphql-response+json' });
      const result: Result<Data> = await response.json();
      return dataOf(result);
    } catch (problem) {
      if (attempt === attemptsMax) throw problem;
      await pauseAfter(problem);
    }
  }
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
      await pause(1_000);
    } catch (problem) {
      if (isFirst) throw problem;
      await pauseAfter(problem);
    }
  }
}
