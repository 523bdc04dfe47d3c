import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { z } from 'zod';

/** What came back on a connection: the head of the first answer, and all that followed it. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Who has sent something that is no whole request does not wait for longer than this. */
const patienceMs = 150;

/**
 * Sends bytes as they are, on a connection of their own.
 *
 * @param whole whether they are a whole request that asks for the connection to be closed: then the answer is waited for.
 * @returns what came back; `undefined` when that was nothing.
 */
export async function send(url: string, bytes: string | Uint8Array, whole: boolean): Promise<RawResponse | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'connect');
  socket.write(bytes);
  if (!whole) socket.setTimeout(patienceMs, () => socket.destroy());
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return undefined;
  const [head = ''] = text.split('\r\n\r\n', 1);
  return { status: Number(head.split(' ')[1]), head, body: bodyOf(head, text.slice(head.length + 4)) };
}

/** The body of the first answer: what was no request may have more of them, and HEAD has none but tells its length. */
function bodyOf(head: string, rest: string): string {
  const length = /\r\nContent-Length: (\d+)/i.exec(head)?.[1];
  if (rest.startsWith('HTTP/1.1 ')) return '';
  return length === undefined ? rest : Buffer.from(rest).subarray(0, Number(length)).toString();
}

/** What an error must never show: where the code is, what it is made of, what it asks of its database. */
const inside =
  /node_modules|node:internal|\.[jt]s:\d+|\n\s+at |prisma|postgres|\bpg\b|sqlstate|\bselect\b.*\bfrom\b|insert into|ECONN|\/(?:work|home|root|tmp|app|usr)\//i;

const restError = z.strictObject({
  message: z.string().min(1),
  errors: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
});
const codes = [
  ...['API_KEY_MISSING', 'API_KEY_INVALID', 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'VALIDATION_FAILED'],
  ...['CONFLICT', 'RATE_LIMITED', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT'],
];
const graphqlError = z.looseObject({ message: z.string().min(1), extensions: z.looseObject({ code: z.enum(codes) }) });
const graphqlErrors = z.looseObject({ errors: z.array(graphqlError).min(1) });

/** Expects what is promised of every answer: an id, no failure of the service, and errors in JSON that show nothing of the inside. */
export function expectContract({ status, head, body }: RawResponse, method: string): void {
  expect(status, head).toBeGreaterThanOrEqual(200);
  expect(status, head + body).toBeLessThan(500);
  expect(head).toMatch(/\r\nX-Request-Id: [A-Za-z0-9._-]{1,128}(?:\r\n|$)/i);
  if (method === 'HEAD' || status === 304) {
    expect(body).toBe('');
    return;
  }
  const type = /\r\nContent-Type: ([^\r;]*)/i.exec(head)?.[1];
  if (status >= 400) {
    expect(type, head).toMatch(/^application\/(?:json|graphql-response\+json)$/);
    const error: unknown = JSON.parse(body);
    expect(z.union([restError, graphqlErrors]).safeParse(error).error, body).toBeUndefined();
    expect(body).not.toMatch(inside);
  } else if (body.startsWith('{"errors"') || body.includes('],"errors"')) {
    const errors = graphqlErrors.parse(JSON.parse(body));
    expect(JSON.stringify(errors.errors)).not.toMatch(inside);
  }
}
