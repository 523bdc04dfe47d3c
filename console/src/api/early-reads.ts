import { fetchWithKey } from './fetch-with-key.ts';

/** A query as the client sends it, but for its text, which has to name the type of every object. */
export interface EarlyRead {
  readonly operationName: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The responses that are on their way, by operation and variables; of one key. */
const responses = new Map<string, Promise<Response>>();
let keyOfResponses = '';

/** Reads what a screen shows first while the scripts are on their way that show it. */
export function readEarly(key: string, reads: readonly EarlyRead[]): void {
  keyOfResponses = key;
  for (const read of reads) {
    const response = fetchWithKey(key)('/graphql', {
      method: 'POST',
      headers: { accept: 'application/graphql-response+json', 'content-type': 'application/json' },
      body: JSON.stringify(read),
    });
    // The request that gets this response handles a failure.
    response.catch(() => undefined);
    responses.set(identityOf(read), response);
  }
}

/** Forgets the responses that no request has taken: the catalog has changed since, or nobody says when it does. */
export function forgetEarlyReads(): void {
  responses.clear();
}

/** `fetch`, of which the first request for what is read already takes that response. */
export function fetchAfterEarly(key: string, send: typeof fetch): typeof fetch {
  return (input, init) => {
    if (responses.size === 0 || key !== keyOfResponses || typeof init?.body !== 'string') return send(input, init);
    const identity = identityOf(JSON.parse(init.body));
    const response = responses.get(identity);
    responses.delete(identity);
    return response ?? send(input, init);
  };
}

/** The client sends variables in the order of their names, and no `variables` where there are none. */
const identityOf = ({ operationName, variables = {} }: Partial<EarlyRead>): string =>
  JSON.stringify([operationName, Object.entries(variables).sort()]);
