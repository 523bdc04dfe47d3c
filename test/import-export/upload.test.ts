import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { lockTable } from '@service/postgres/testing/table-lock';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { emptyCatalog } from '../support/database.ts';
import { within } from '../support/running-time.ts';
import { adminKey, useServer } from '../support/server.ts';
import { csv, importFile } from './import/import-file.ts';

const fileLimitBytes = 200_000;

const server = useServer({ IMPORT_MAX_BYTES: String(fileLimitBytes) });
beforeEach(() => server.database.query(emptyCatalog));

const arts = csv(',Arts,1,,,,,');

interface Sent {
  readonly status: number | undefined;
  readonly body: unknown;
}

/** Begins a request without a length, which can be sent piece by piece. */
function begin(key = adminKey, url = server.url): ClientRequest {
  const request = http.request(`${url}/import/catalog`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'text/csv' },
  });
  onTestFinished(() => void request.destroy());
  return request;
}

async function responseOf(request: ClientRequest): Promise<Sent> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

function send(body: string): Promise<Sent> {
  const request = begin();
  const response = responseOf(request);
  request.end(body);
  return response;
}

/** The requests for an import that the service has received. */
let received: IncomingMessage[] = [];
const receive = (message: unknown): void => {
  const { request } = message as { request: IncomingMessage };
  if (request.url?.startsWith('/import') === true) received.push(request);
};
beforeAll(() => subscribe('http.server.request.start', receive));
afterAll(() => void unsubscribe('http.server.request.start', receive));
beforeEach(() => {
  received = [];
});

/** Waits until the service reads the bodies of that many requests. */
async function arrived(count: number): Promise<void> {
  await within(5_000, () => {
    expect(received).toHaveLength(count);
    for (const request of received) expect(request.listenerCount('data')).toBe(1);
  });
}

const statusesLogged = (): unknown[] =>
  server.logged.map((line) => JSON.parse(line)).map(({ status }: { status?: number }) => status);

const programCount = async () => (await server.database.query('SELECT count(*)::int AS n FROM programs'))[0]?.['n'];
const lockCount = async () =>
  (
    await server.database.query(
      `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND objid = ${0x75_61_73_33}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  )[0]?.['n'];

const warnings = () => server.logged.filter((line) => /"level":(?:50|40)/.test(line));
const invalid = (problem: string) => ({ message: 'The request has invalid input.', errors: { file: [problem] } });

describe('a file that is sent', () => {
  it('may have the configured size, whether or not it says its length, and no larger one', async () => {
    const largest = csv(...Array.from({ length: 13_000 }, () => ',Arts,1,,,,,')).padEnd(fileLimitBytes, '\n');
    expect(largest).toHaveLength(fileLimitBytes);
    const tooLarge = { status: 413, body: invalid('file must be at most 200000 bytes long.') };

    expect(await importFile(server, largest)).toMatchObject({ status: 200, body: { programs: { created: 1 } } });
    expect(await send(largest)).toMatchObject({ status: 200, body: { programs: { unchanged: 1 } } });
    expect(await send(`${largest}\n`)).toMatchObject(tooLarge);
    expect(await importFile(server, 'x'.repeat(2 * fileLimitBytes))).toMatchObject(tooLarge);
  });

  it('slowly does not keep others from importing, and is imported when it is whole', async () => {
    const request = begin();
    const response = responseOf(request);
    request.write(arts.slice(0, -4));
    await arrived(1);
    expect(await lockCount()).toBe(0);

    expect((await importFile(server, arts)).body).toMatchObject({ outcome: 'imported', programs: { created: 1 } });
    request.end(arts.slice(-4));
    expect(await response).toMatchObject({ status: 200, body: { outcome: 'imported', programs: { unchanged: 1 } } });
  });

  it('by a client that leaves meanwhile changes nothing', async () => {
    const request = begin();
    request.on('error', () => undefined);
    request.write(arts);
    await arrived(1);
    request.destroy();

    expect((await importFile(server, csv())).body).toMatchObject({ rows: 0 });
    await within(5_000, () => expect(statusesLogged()).toContain(499));
    expect(await programCount()).toBe(0);
    expect(warnings()).toEqual([]);
  });

  it('beside too many others is rejected with 503, the slowest first', async () => {
    // One user sends at most two at a time.
    const keys = await Promise.all([1, 2, 3, 4].map((n) => server.makeKey({ user: `sender ${n}`, role: 'editor' })));
    const requests = keys.map((key) => begin(key));
    const [stalled, ...others] = requests.map(responseOf);
    for (const [index, request] of requests.entries()) {
      request.write(arts.padEnd(fileLimitBytes - (index === 0 ? 150_000 : 20_000), '\n'));
      await arrived(index + 1);
    }
    for (const request of requests.slice(1)) request.write('\n'.repeat(15_000));

    // Together they have at most three files of the largest size.
    expect(await stalled).toMatchObject({
      status: 503,
      body: { message: 'Too many files are being sent. Please try again.' },
    });
    for (const [index, response] of others.entries()) {
      requests[index + 1]?.end();
      expect(await response).toMatchObject({ status: 200, body: { outcome: 'imported' } });
    }
  });

  it('with a key that is revoked meanwhile changes nothing', async () => {
    const key = await server.makeKey({ role: 'editor', user: 'leaver' });
    const request = begin(key);
    const response = responseOf(request);
    request.write(arts);
    await arrived(1);
    await server.database.query(
      `UPDATE api_keys SET revoked_at = now() FROM users WHERE users.id = user_id AND users.name = 'leaver'`,
    );
    await within(2_000, async () => expect(await (await server.rest('get', '/ping', key)).status).toBe(401));
    request.end();

    expect(await response).toEqual({ status: 401, body: { message: 'API key is invalid.' } });
    expect(await programCount()).toBe(0);
  });
});

describe('a file that is imported', () => {
  it('is cancelled when its client leaves', async () => {
    const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const request = begin();
    request.on('error', () => undefined);
    request.end(arts);
    await lock.waitUntilBlocking();
    request.destroy();

    await within(5_000, async () => expect(await lockCount()).toBe(0));
    await lock.release();
    expect(await programCount()).toBe(0);
    expect(warnings()).toEqual([]);
  });

  it('is cancelled within a second when its key is revoked', async () => {
    const key = await server.makeKey({ role: 'editor', user: 'revoked' });
    const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const request = begin(key);
    const response = responseOf(request);
    request.end(arts);
    await lock.waitUntilBlocking();
    await server.database.query(
      `UPDATE api_keys SET revoked_at = now() FROM users WHERE users.id = user_id AND users.name = 'revoked'`,
    );

    await within(5_000, async () => expect(await lockCount()).toBe(0));
    await lock.release();
    expect(await response).toEqual({
      status: 503,
      body: { message: 'Users or keys have just changed. Please try again.' },
    });
    expect(await programCount()).toBe(0);
    expect(warnings()).toEqual([]);
  });

  it.each([
    ['editor', 'admin'],
    ['admin', 'editor'],
  ] as const)('goes on when its user is no longer %s but %s, if they may still import', async (before, role) => {
    const user = `now ${role}`;
    const key = await server.makeKey({ role: before, user });
    const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const request = begin(key);
    const response = responseOf(request);
    request.end(arts);
    await lock.waitUntilBlocking();
    await server.database.query('UPDATE users SET role = $1 WHERE name = $2', [role, user]);
    const roles = async () => (await server.graphql('{ viewer { role } }', {}, key)).body;
    await within(2_000, async () =>
      expect(await roles()).toMatchObject({ data: { viewer: { role: role.toUpperCase() } } }),
    );
    await lock.release();

    expect((await response).status).toBe(200);
  });

  it('may take longer than the connection of another request may be idle', async () => {
    const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const response = send(arts);
    await lock.waitUntilBlocking();
    expect(received.at(-1)?.socket.timeout).toBe(0);
    await lock.release();

    expect((await response).status).toBe(200);
    expect(received.at(-1)?.socket.timeout).toBeGreaterThan(0);
  });
});
