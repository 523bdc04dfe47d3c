import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { z } from 'zod';

/** The first response on a connection. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** How long to wait for a response to an incomplete request. */
const partialTimeoutMs = 150;

/**
 * Sends raw bytes on a new connection.
 *
 * @param whole whether they are a complete request with Connection: close, whose response is waited for.
 * @returns the response; `undefined` when there was none.
 */
export async function send(url: string, bytes: string | Uint8Array, whole: boolean): Promise<RawResponse | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'connect');
  socket.write(bytes);
  if (!whole) socket.setTimeout(partialTimeoutMs, () => socket.destroy());
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return undefined;
  const [head = ''] = text.split('\r\n\r\n', 1);
  return { status: Number(head.split(' ')[1]), head, body: bodyOf(head, text.slice(head.length + 4)) };
}

/** The body of the first response: malformed input may get several, and HEAD has a length but no body. */
function bodyOf(head: string, rest: string): string {
  const length = /\r\nContent-Length: (\d+)/i.exec(head)?.[1];
  if (rest.startsWith('HTTP/1.1 ')) return '';
  return length === undefined ? rest : Buffer.from(rest).subarray(0, Number(length)).toString();
}

/** What an error must never expose: paths, dependencies, SQL. */
const internals =
  /node_modules|node:internal|\.[jt]s:\d+|\n\s+at |prisma|postgres|\bpg\b|sqlstate|\bselect\b.*\bfrom\b|insert into|\bECONN|\/(?:work|home|root|tmp|app|usr)\//i;

const restError = z.strictObject({
  message: z.string().min(1),
  errors: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
  // Of files alone.
  rule: z.string().optional(),
  details: z.looseObject({}).optional(),
  problems: z.array(z.looseObject({ field: z.string(), rule: z.string(), message: z.string() })).optional(),
});
const codes = [
  ...['API_KEY_MISSING', 'API_KEY_INVALID', 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'VALIDATION_FAILED'],
  ...['CONFLICT', 'RATE_LIMITED', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT'],
];
const graphqlError = z.looseObject({ message: z.string().min(1), extensions: z.looseObject({ code: z.enum(codes) }) });
const graphqlErrors = z.looseObject({ errors: z.array(graphqlError).min(1) });

/** Expects what holds for every response: a request id, no 5xx, and errors in JSON, or a page for a browser, that expose no internals. */
export function expectContract({ status, head, body }: RawResponse, method: string): void {
  expect(status, head).toBeGreaterThanOrEqual(200);
  expect(status, head + body).toBeLessThan(500);
  expect(head).toMatch(/\r\nX-Request-Id: [A-Za-z0-9._-]{1,128}(?:\r\n|$)/i);
  if (method === 'HEAD' || status === 304) {
    expect(body).toBe('');
    return;
  }
  const type = /\r\nContent-Type: ([^\r;]*)/i.exec(head)?.[1];
  if (status === 404 && type === 'text/html') {
    // The page for a browser at an unknown address.
    expect(body).not.toMatch(internals);
  } else if (status >= 400) {
    expect(type, head).toMatch(/^application\/(?:json|graphql-response\+json)$/);
    const error: unknown = JSON.parse(body);
    expect(z.union([restError, graphqlErrors]).safeParse(error).error, body).toBeUndefined();
    expect(body).not.toMatch(internals);
  } else if (body.startsWith('{"errors"') || body.includes('],"errors"')) {
    const errors = graphqlErrors.parse(JSON.parse(body));
    expect(JSON.stringify(errors.errors)).not.toMatch(internals);
  }
}
