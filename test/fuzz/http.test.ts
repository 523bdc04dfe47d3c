import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { adminKey, useServer } from '../support/server.ts';
import { expectContract, send } from './invariants.ts';

/** A fixed seed; as many runs as fit into the time. */
const bounded = { seed: 20_261_121, interruptAfterTimeLimit: 2_000, numRuns: 200 } as const;

const server = useServer({ AUTH_FAILURES_PER_MINUTE: '1000000', LOG_LEVEL: 'warn' });
afterAll(async () => {
  expect((await server.rest('get', '/ping')).status).toBe(200);
  // Unforeseen errors are logged.
  expect(server.logged.slice(0, 3)).toEqual([]);
});

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'POST') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH'),
  },
);

const pathCharacter = fc.constantFrom(...'abz019/.-_~%2F%00%zz%C3%A9;:@&=+$,!*()');
const path = fc.oneof(
  fc.constantFrom('/v1/ping', '/v1/api/academics/programs', '/v1/api/academics/branches', '/graphql', '/', '/readyz'),
  fc
    .tuple(
      fc.constantFrom('programs', 'branches'),
      fc.oneof(fc.integer().map(String), fc.stringMatching(/^[!-"$-~]{0,12}$/)),
    )
    .map(([kind, id]) => `/v1/api/academics/${kind}/${id}`),
  fc.array(pathCharacter, { maxLength: 30 }).map((parts) => `/${parts.join('')}`),
  fc
    .tuple(
      fc.constantFrom('/import/catalog', '/import/columns', '/export/catalog.csv', '/session', '/docs', '/console'),
      fc.constantFrom('', '/', '/sign-in', '/callback', '/x'),
    )
    .map((parts) => parts.join('')),
  // A request may name any address, and nearly none.
  fc.constantFrom(
    '*',
    '//[',
    '//',
    'http://[',
    'http://localhost/v1/ping',
    'http://a:b@c:99999/graphql',
    '/\\x',
    '/?[',
  ),
);
const query = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.webQueryParameters().map((text) => `?${text}`) },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(
            ...['page', 'size', 'query', 'variables', 'return', 'code', 'state', 'ids', 'branchIds', 'createdSince'],
            ...['search', 'attributes.x', 'encoding', 'sheet', 'map.x', 'dryRun', 'fileName', 'documentId'],
          ),
          fc.oneof(fc.integer().map(String), fc.webFragments(), fc.constantFrom('//[', '%zz', '%00', '[]', '\\')),
        ),
      )
      .map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
  },
);

/** A valid header value. */
const text = fc.stringMatching(/^[!-~]{1,40}$/);
const header = fc.oneof(
  fc.tuple(
    fc.constantFrom('Authorization', 'x-api-key'),
    fc.oneof(
      text,
      text.map((key) => `Bearer ${key}`),
    ),
  ),
  fc.tuple(fc.constantFrom('Accept', 'Accept-Encoding', 'Accept-Language', 'Range', 'Origin', 'Cookie'), text),
  fc.tuple(fc.constantFrom('If-None-Match', 'If-Match', 'Idempotency-Key', 'X-Request-Id', 'X-Forwarded-For'), text),
  fc.tuple(fc.constant('Accept'), fc.constantFrom('text/html', 'text/event-stream', 'application/json', '*/*')),
  fc.tuple(fc.constant('Content-Encoding'), fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'nonsense')),
  fc.tuple(
    fc
      .stringMatching(/^[A-Za-z0-9-]{1,20}$/)
      .filter((name) => !/^(?:content|transfer|connection|upgrade|te)/i.test(name)),
    text,
  ),
);

const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=latin1',
      'text/plain',
      'multipart/form-data; boundary=x',
      '/',
      ';',
    ),
  },
);

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('Physics', '4 Years', '', 1, -1, 2_147_483_648, 1e300, true, '\ud800', '\0'),
);
const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ name: value, duration: value, code: value }, { requiredKeys: [] })
      .map((it) => JSON.stringify(it)),
  },
  {
    weight: 4,
    arbitrary: fc
      .record(
        { programId: value, name: value, years: value, codePrefix: value, codeIsNumeric: value, description: value },
        { requiredKeys: [] },
      )
      .map((it) => JSON.stringify(it)),
  },
  {
    weight: 2,
    arbitrary: fc.record({ query: value, variables: value, operationName: value }).map((it) => JSON.stringify(it)),
  },
  { weight: 2, arbitrary: fc.json({ maxDepth: 6 }) },
  { weight: 1, arbitrary: fc.nat(60_000).map((depth) => '['.repeat(depth)) },
  { weight: 1, arbitrary: fc.nat(200_000).map((length) => JSON.stringify({ name: 'x'.repeat(length) })) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constant(`x-api-key: ${adminKey}\r\n`) },
  { weight: 1, arbitrary: fc.constant('') },
);

const request = fc.record({ method, path, query, key, headers: fc.array(header, { maxLength: 5 }), contentType, body });

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly key: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly contentType: string;
  readonly body: string;
}

function written({ method, path, query, key, headers, contentType, body }: Request): string {
  const fields = headers.map(([name, content]) => `${name}: ${content}\r\n`).join('');
  const head = `${method} ${path}${query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${key}${fields}`;
  if (method === 'GET' || method === 'HEAD') return `${head}\r\n`;
  return `${head}Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('any request over HTTP', () => {
  it('gets a valid response, and every error is JSON', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (requested) => {
        const response = await send(server.url, written(requested), true);
        if (response === undefined) throw new Error('There was no response.');
        expectContract(response, requested.method);
      }),
      bounded,
    );
  });

  it('gets a JSON error when it is malformed', async () => {
    const corrupted = fc
      .tuple(request, fc.nat(), fc.nat(40), fc.uint8Array({ maxLength: 20 }))
      .map(([requested, at, removed, inserted]) => {
        const bytes = Buffer.from(written(requested));
        const cut = at % bytes.length;
        return Buffer.concat([bytes.subarray(0, cut), inserted, bytes.subarray(cut + removed)]);
      });
    // Many get no response, which takes 150 ms to tell: several at once.
    const several = fc.array(fc.oneof(corrupted, fc.uint8Array({ minLength: 1, maxLength: 300 })), {
      minLength: 16,
      maxLength: 16,
    });
    await fc.assert(
      fc.asyncProperty(several, async (inputs) => {
        const responses = await Promise.all(inputs.map((bytes) => send(server.url, bytes, false)));
        for (const response of responses) {
          // The method may be corrupted, too.
          if (response !== undefined) expectContract(response, response.body === '' ? 'HEAD' : 'GET');
        }
      }),
      { ...bounded, interruptAfterTimeLimit: 1_000 },
    );
  });
});
