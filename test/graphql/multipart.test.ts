import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { lockTable } from '@service/postgres/testing/table-lock';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { csv, importDocument, importFile } from '../support/import-file.ts';
import { makeKey } from '../support/keys.ts';
import { within } from '../support/running-time.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

const fileLimitBytes = 200_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ IMPORT_MAX_BYTES: String(fileLimitBytes), BODY_LIMIT_BYTES: '4096' });
});
afterAll(() => server.close());
beforeEach(() => server.database.query('TRUNCATE branch_years, branches, programs'));

const boundary = 'limit';
const part = (name: string, content: string, attributes = ''): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${attributes}\r\n\r\n${content}\r\n`;
const operations = part('operations', JSON.stringify({ query: importDocument, variables: { file: null } }));
const map = part('map', '{"0": ["variables.file"]}');
const file = (content = csv(',Arts,1,,,,,')): string => part('0', content, '; filename="a.csv"');
const end = `--${boundary}--\r\n`;

interface Sent {
  readonly status: number | undefined;
  readonly body: { readonly errors?: readonly { readonly extensions?: object }[] };
}

/** Begins a request without a length, which can be sent piece by piece. */
function begin(key = adminKey, contentType = `multipart/form-data; boundary=${boundary}`): ClientRequest {
  const request = http.request(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': contentType },
  });
  onTestFinished(() => void request.destroy());
  return request;
}

async function responseOf(request: ClientRequest): Promise<Sent> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

function send(body: string, contentType?: string): Promise<Sent> {
  const request = begin(adminKey, contentType);
  const response = responseOf(request);
  request.end(body);
  return response;
}

const programCount = async () => (await server.database.query('SELECT count(*)::int AS n FROM programs'))[0]?.['n'];
const lockCount = async () =>
  (
    await server.database.query(
      `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND objid = ${0x75_61_73_33}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  )[0]?.['n'];

describe('a multipart request', () => {
  it('is one of the GraphQL multipart request specification', async () => {
    expect(await send(operations + map + file() + end)).toMatchObject({
      status: 200,
      body: { data: { importCatalog: { outcome: 'IMPORTED' } } },
    });
  });

  it.each([
    ['without a boundary', operations + map + file() + end, 'multipart/form-data', /boundary/],
    ['without a file', operations + map + end, undefined, /A file is required/],
    ['without operations', map + file() + end, undefined, /"operations" is required/],
    ['without a map', operations + file() + end, undefined, /"map" is required/],
    ['with the file first', file() + operations + map + end, undefined, /"operations" is required/],
    ['with operations that are not JSON', part('operations', '{') + map + file() + end, undefined, /not valid JSON/],
    ['with a batch', part('operations', '[{}]') + map + file() + end, undefined, /one GraphQL request/],
    [
      'with a map of another file',
      operations + part('map', '{"1": ["variables.file"]}') + file() + end,
      undefined,
      /"map"/,
    ],
    [
      'with a map of two variables',
      operations + part('map', '{"0": ["variables.a", "variables.b"]}') + file() + end,
      undefined,
      /"map"/,
    ],
    [
      'with a map into a list',
      operations + part('map', '{"0": ["variables.files.0"]}') + file() + end,
      undefined,
      /"map"/,
    ],
    ['with a long field', part('operations', ' '.repeat(5_000)) + map + file() + end, undefined, /4096 bytes/],
    ['that is nothing at all', '', undefined, /not valid multipart/],
  ])('%s is rejected', async (_what, body, contentType, message) => {
    const { status, body: response } = await send(body, contentType);
    expect([400, 413]).toContain(status);
    expect(response).toEqual({
      errors: [
        {
          message: 'The request has an invalid body.',
          extensions: { code: 'VALIDATION_FAILED', errors: { body: [expect.stringMatching(message)] } },
        },
      ],
    });
  });

  it.each([
    ['a second file', operations + map + file() + part('1', 'x', '; filename="b.csv"') + end, /one file/],
    ['another field', operations + map + file() + part('other', 'x') + end, /one file/],
    ['no end', operations + map + file(), /not valid multipart/],
    ['no end within the file', operations + map + file().slice(0, -4), /not valid multipart/],
  ])('with %s imports nothing', async (_what, body, message) => {
    expect(await send(body)).toMatchObject({
      body: {
        errors: [{ extensions: { code: 'VALIDATION_FAILED', errors: { body: [expect.stringMatching(message)] } } }],
      },
    });
    expect(await programCount()).toBe(0);
  });

  it('may have a file of the configured size, whether or not it says its length, and no larger one', async () => {
    const row = ',Arts,1,,,,,\n';
    const content =
      csv('').trimEnd() + `\n${row.repeat(20_000)}`.slice(0, fileLimitBytes - csv('').trimEnd().length - row.length);
    const largest = content.slice(0, content.lastIndexOf('\n')).padEnd(fileLimitBytes, '\n');
    const tooLarge = {
      extensions: { code: 'VALIDATION_FAILED', errors: { file: ['file must be at most 200000 bytes long.'] } },
    };

    expect((await importFile(server, largest)).body).toMatchObject({
      data: { importCatalog: { programs: { created: 1 } } },
    });
    expect(await send(operations + map + file(`${largest}\n`) + end)).toMatchObject({
      status: 200,
      body: { errors: [tooLarge] },
    });
    expect(await importFile(server, 'x'.repeat(2 * fileLimitBytes))).toMatchObject({
      status: 413,
      body: { errors: [tooLarge] },
    });
  });

  it('of a client that leaves while it sends the file changes nothing, and frees the import', async () => {
    const request = begin();
    request.on('error', () => undefined);
    request.write(operations + map + file().slice(0, -4));
    await within(5_000, async () => expect(await lockCount()).toBe(1));
    request.destroy();

    await within(5_000, async () => expect(await lockCount()).toBe(0));
    expect(await programCount()).toBe(0);
    // PostgreSQL releases the lock a moment before the service knows.
    await within(5_000, async () =>
      expect((await importFile(server, csv(',Arts,1,,,,,'))).body).toMatchObject({
        data: { importCatalog: { rows: 1 } },
      }),
    );
    expect(server.logged.filter((line) => /"level":(?:50|40)/.test(line))).toEqual([]);
  });

  it('waits for its end, even when the file has been read', async () => {
    const request = begin();
    const response = responseOf(request);
    request.write(operations + map + file());
    request.write(`--${boundary}\r\n`);
    await within(5_000, async () => expect(await lockCount()).toBe(1));
    expect((await server.rest('get', '/ping')).status).toBe(200);
    request.end(part('1', 'x', '; filename="b.csv"').slice(boundary.length + 4) + end);

    expect(await response).toMatchObject({ body: { errors: [{ extensions: { code: 'VALIDATION_FAILED' } }] } });
    expect(await programCount()).toBe(0);
  });

  it('of a client that leaves while its file is imported is cancelled', async () => {
    const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const request = begin();
    request.on('error', () => undefined);
    request.end(operations + map + file() + end);
    await lock.waitUntilBlocking();
    request.destroy();

    await within(5_000, async () => expect(await lockCount()).toBe(0));
    await lock.release();
    expect(await programCount()).toBe(0);
    expect(server.logged.filter((line) => /"level":(?:50|40)/.test(line))).toEqual([]);
  });

  it('may take longer than the connection of another request may be idle', async () => {
    const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const received: IncomingMessage[] = [];
    const receive = (message: unknown): void => {
      received.push((message as { request: IncomingMessage }).request);
    };
    subscribe('http.server.request.start', receive);
    onTestFinished(() => void unsubscribe('http.server.request.start', receive));
    const response = send(operations + map + file() + end);
    await lock.waitUntilBlocking();
    expect(received.map(({ socket }) => socket.timeout)).toEqual([0]);
    await lock.release();

    expect((await response).status).toBe(200);
    expect(received[0]?.socket.timeout).toBeGreaterThan(0);
  });

  it('whose key is revoked while it sends the file changes nothing', async () => {
    const key = await makeKey(server.database, { role: 'editor', user: 'leaver' });
    const request = begin(key);
    const response = responseOf(request);
    request.write(operations + map + file().slice(0, -2));
    await within(5_000, async () => expect(await lockCount()).toBe(1));
    await server.database.query(
      `UPDATE api_keys SET revoked_at = now() FROM users WHERE users.id = user_id AND users.name = 'leaver'`,
    );
    await within(2_000, async () => expect(await (await server.rest('get', '/ping', key)).status).toBe(401));
    request.end(`\r\n${end}`);

    expect((await response).body.errors?.[0]).toMatchObject({ extensions: { code: 'API_KEY_INVALID' } });
    expect(await programCount()).toBe(0);
  });
});
