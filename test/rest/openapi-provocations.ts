import { Client } from 'pg';
import type { Response, Test } from 'supertest';
import { vi } from 'vitest';
import { exampleRequests, unknownIdentifier } from '../../src/rest/openapi/examples.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import { waitingForLocks } from '../support/table-lock.ts';
import type { Described } from './openapi-truth.ts';

/** Services in all the states that answers depend on. */
export interface Stage {
  readonly healthy: TestServer;
  /** Minds the first invalid key. */
  readonly strict: TestServer;
  /** Has lost a table. */
  readonly broken: TestServer;
  /** Has lost its database. */
  readonly cutOff: TestServer;
  /** Has no identifiers left. */
  readonly full: TestServer;
  close(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const lost = await createTestDatabase();
  const [healthy, strict, broken, cutOff, full] = await Promise.all([
    startTestServer(),
    startTestServer({ AUTH_FAILURES_PER_MINUTE: '1' }),
    startTestServer(),
    startTestServer({}, lost),
    startTestServer(),
  ]);
  await broken.database.query('ALTER TABLE api_keys RENAME TO lost');
  await lost.close();
  await factoriesFor(full).program();
  await full.database.query("SELECT setval('programs_id_seq', 2147483647), setval('branches_id_seq', 2147483647)");
  const servers = [healthy, strict, broken, cutOff, full];
  return {
    healthy,
    strict,
    broken,
    cutOff,
    full,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

interface Asked {
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  readonly key?: string | null;
}

const nameOf = ({ operation: { operationId } }: Described): string =>
  operationId.charAt(0).toUpperCase() + operationId.slice(1);

/** Asks as the document says: input goes into the path, the query or the body. */
function ask(server: TestServer, described: Described, { input, key = adminKey }: Asked = {}): Test {
  const { method, path } = described;
  const given = input ?? exampleRequests[nameOf(described)]?.good ?? {};
  if (method === 'post') return server.rest(method, path, key).send(given);
  const filled = path.replace('{id}', String(given['id']));
  const query = path.includes('{') ? [] : Object.entries(given).map(([name, value]) => `${name}=${value}`);
  return server.rest(method, query.length > 0 ? `${filled}?${query.join('&')}` : filled, key);
}

/** What brings each answer about, by its status and the name of its example. */
export const provocations: Readonly<Record<string, (stage: Stage, described: Described) => Promise<Response>>> = {
  '200 example': async ({ healthy }, described) => ask(healthy, described),
  '201 example': async ({ healthy }, described) => ask(healthy, described),
  '304 same': async ({ healthy }, described) => {
    const first = await ask(healthy, described);
    return ask(healthy, described).set('If-None-Match', String(first.headers['etag']));
  },
  '400 fields': async ({ healthy }, described) =>
    ask(healthy, described, { input: exampleRequests[nameOf(described)]?.bad }),
  '400 unreadable': async ({ healthy }, { path }) =>
    healthy.rest('post', path).set('Content-Type', 'application/json').send('{"name":'),
  '401 missing': async ({ healthy }, described) => ask(healthy, described, { key: null }),
  '401 invalid': async ({ healthy }, described) => ask(healthy, described, { key: 'no-key-of-this-service' }),
  '401 noUser': async ({ healthy }, described) =>
    ask(healthy, described, { key: await makeKey(healthy.database, { user: 'gone', disabled: true }) }),
  '403 permission': async ({ healthy }, described) =>
    ask(healthy, described, { key: await makeKey(healthy.database, { role: 'guest' }) }),
  '403 readOnly': async ({ healthy }, described) =>
    ask(healthy, described, { key: await makeKey(healthy.database, { role: 'editor', readOnly: true }) }),
  '404 unknown': async ({ healthy }, described) => {
    const good = exampleRequests[nameOf(described)]?.good;
    const input = { ...good, id: unknownIdentifier, programId: unknownIdentifier };
    return ask(healthy, described, { input });
  },
  '405 method': async ({ healthy }, { path }) => healthy.rest('put', path.replace('{id}', '1')),
  '409 running': async ({ strict }, described) => {
    const tables = await holdTables(strict.database);
    const first = repeatable(strict, described, 'running').then((response) => response);
    try {
      await tables.awaited();
      return await repeatable(strict, described, 'running');
    } finally {
      await tables.release();
      await first;
    }
  },
  '413 tooLarge': async ({ healthy }, described) => ask(healthy, described, { input: { name: 'a'.repeat(102_400) } }),
  '415 notJson': async ({ healthy }, { path }) =>
    healthy.rest('post', path).set('Content-Type', 'text/plain').send('{}'),
  '422 otherBody': async ({ strict }, described) => {
    const { id: programId } = await factoriesFor(strict).program();
    await repeatable(strict, described, 'once', { programId });
    return repeatable(strict, described, 'once', { programId, name: 'Another' });
  },
  '429 guessing': async ({ strict }, described) => {
    await ask(strict, described, { key: 'a-guess' });
    return ask(strict, described, { key: 'another-guess' });
  },
  '500 unforeseen': async ({ broken }, described) => ask(broken, described, { key: 'a-key-not-seen-before' }),
  '503 unavailable': async ({ cutOff }, described) => ask(cutOff, described, { key: 'a-key-not-seen-before' }),
  '507 exhausted': async ({ full }, described) => ask(full, described),
};

function repeatable(server: TestServer, described: Described, key: string, changed: object = {}): Test {
  const input = { ...exampleRequests[nameOf(described)]?.good, ...changed };
  return ask(server, described, { input }).set('Idempotency-Key', key);
}

/** Keeps the catalog's tables from everybody else. */
async function holdTables({ url }: TestDatabase) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE programs, branches');
  return {
    /** Resolves when someone waits for them. */
    awaited: () =>
      vi.waitFor(async () => {
        const { rows } = await client.query(`SELECT 1 ${waitingForLocks}`);
        if (rows.length === 0) throw new Error('Nobody waits for the tables.');
      }),
    release: () => client.end(),
  };
}
