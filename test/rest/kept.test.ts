import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, type RawAnswer } from '../http/raw.ts';
import { makeKey } from '../support/keys.ts';
import { makeFor } from '../support/make.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

/** One keeps results; the other, on the same database, works each answer out anew. */
let keeping: TestServer;
let forgetful: TestServer;
let credentials: string[];
beforeAll(async () => {
  keeping = await startTestServer();
  forgetful = await startTestServer({ KEPT_RESULTS_BYTES: '0' }, keeping.database);
  const make = makeFor(keeping);
  for (let count = 0; count < 3; count += 1) await make.branch((await make.program()).id);
  const { database } = keeping;
  const guest = await makeKey(database, { role: 'guest' });
  const viewer = await makeKey(database, { role: 'viewer' });
  const disabled = await makeKey(database, { user: 'gone', role: 'admin', disabled: true });
  const readOnly = await makeKey(database, { user: 'reader', role: 'admin', readOnly: true });
  credentials = [
    ...[adminKey, viewer, guest, disabled, readOnly, `Bearer ${viewer}`, '', 'Bearer'].map(
      (key) => `x-api-key: ${key}`,
    ),
    `x-api-key: ${viewer}\r\nx-api-key: ${viewer}`,
    `x-api-key:\r\nAuthorization: bearer ${viewer}`,
    `Authorization: Basic ${viewer}`,
    'x-api-key: nonsense',
  ];
});
afterAll(async () => {
  await forgetful.close();
  await keeping.close();
});

/** What is wrong in some way is not kept, and random requests would be so nearly always. */
const mostly = <Value>(sound: readonly Value[], odd: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ arbitrary: fc.constantFrom(...sound), weight: 4 }, { arbitrary: fc.constantFrom(...odd), weight: 1 });

const id = mostly(
  ['1', '2'],
  ['%31', '9', '0', '01', ':id', 'abc', '%zz', '2147483648', '1/', '1/x', '1%2F', '1;a', ''],
);
const path = fc.oneof(
  mostly(['/ping', '/api/academics/programs'], ['', '/', '/ping/', '/Ping', '/:id', '/api/academics/branches']),
  id.map((text) => `/api/academics/programs/${text}`),
  id.map((text) => `/api/academics/branches/${text}`),
);
const query = mostly(
  ['', '?', '?page=1', '?page=1&size=2', '?size=2&page=1'],
  ['?page=0', '?size=1&size=1', '?a#b', '??page=2', '?page=%zz'],
);
const address = fc.tuple(mostly(['/v1'], ['http://example.org/v1', '//v1', '/V1', '/v1/.', '/%761']), path, query);
const method = mostly(['GET', 'HEAD'], ['POST', 'OPTIONS', 'DELETE']);
/** The places of credentials: those of an administrator and a viewer first. */
const credential = mostly([0, 1], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
const headers = fc.subarray([
  'If-None-Match: *',
  'If-None-Match: "other"',
  'Cache-Control: no-cache',
  'Accept: text/html',
  'X-Request-Id: mine',
  'X-Request-Id: not mine',
  'Content-Type: text/plain',
  'Expect: miracles',
  'Origin: https://example.org',
  'Accept-Encoding: gzip',
]);

/** Everything of an answer but what differs from one to the next. */
const lasting = ({ status, headers: { date: _date, 'x-request-id': id = '', ...others }, body }: RawAnswer) => ({
  status,
  headers: { ...others, 'x-request-id': id === 'mine' ? id : id.length },
  body,
});

it('answers what it has kept as it would work it out anew: header by header, byte by byte', async () => {
  for (const { statements } of [keeping, forgetful]) statements.length = 0;
  await fc.assert(
    fc.asyncProperty(method, address, credential, headers, async (verb, parts, which, more) => {
      const lines = [`${verb} ${parts.join('')} HTTP/1.1`, 'Host: a', 'Connection: close', credentials[which], ...more];
      const request = `${lines.join('\r\n')}\r\n\r\n`;
      const ask = async ({ url }: TestServer) => (await exchange(url, request)).map(lasting);
      const expected = await ask(forgetful);
      expect(await ask(keeping)).toEqual(expected);
      expect(await ask(keeping)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
  expect(keeping.statements.length).toBeLessThan(forgetful.statements.length / 2);
});
