import { lockTable } from '@service/postgres/testing/table-lock';
import type { Response, Test } from 'supertest';
import { unknownIdentifier } from '../../site/openapi/examples.ts';
import { operationTexts } from '../../site/openapi/texts.ts';
import { createTestDatabase } from '../support/database.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import type { Described } from './expectations.ts';

/** Services in every state that a documented response depends on. */
export interface Stage {
  readonly healthy: TestServer;
  /** Throttles after the first invalid key. */
  readonly strict: TestServer;
  /** The database is gone. */
  readonly cutOff: TestServer;
  close(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const lost = await createTestDatabase();
  const servers = await Promise.all([
    startTestServer(),
    startTestServer({ AUTH_FAILURES_PER_MINUTE: '1' }),
    startTestServer({}, lost),
  ]);
  await lost.close();
  const [healthy, strict, cutOff] = servers;
  return {
    healthy,
    strict,
    cutOff,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

interface Input {
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  readonly key?: string | null;
}

const nameOf = ({ operation: { operationId } }: Described): string =>
  operationId.charAt(0).toUpperCase() + operationId.slice(1);

/** Sends a request as documented: input goes into the path, the query or the body. */
function request(server: TestServer, described: Described, { input, key = adminKey }: Input = {}): Test {
  const { method, path } = described;
  const fields = input ?? operationTexts[nameOf(described)]?.valid ?? {};
  const filled = path.replace('{id}', String(fields['id']));
  if (method !== 'get') return server.rest(method, filled, key).send(fields);
  const query = path.includes('{') ? [] : Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return server.rest(method, query.length > 0 ? `${filled}?${query.join('&')}` : filled, key);
}

/** A scenario for each documented response, by its status and the name of its example. */
export const scenarios: Readonly<Record<string, (stage: Stage, described: Described) => Promise<Response>>> = {
  '200 example': async ({ healthy }, described) => request(healthy, described),
  '201 example': async ({ healthy }, described) => request(healthy, described),
  '304 same': async ({ healthy }, described) => {
    const first = await request(healthy, described);
    return request(healthy, described).set('If-None-Match', String(first.headers['etag']));
  },
  '400 fields': async ({ healthy }, described) =>
    request(healthy, described, { input: operationTexts[nameOf(described)]?.invalid }),
  '400 unreadable': async ({ healthy }, { method, path }) =>
    healthy.rest(method, path.replace('{id}', '1')).set('Content-Type', 'application/json').send('{"name":'),
  '401 missing': async ({ healthy }, described) => request(healthy, described, { key: null }),
  '401 invalid': async ({ healthy }, described) => request(healthy, described, { key: 'no-key-of-this-service' }),
  '401 noUser': async ({ healthy }, described) =>
    request(healthy, described, { key: await healthy.makeKey({ user: 'gone', disabled: true }) }),
  '403 permission': async ({ healthy }, described) =>
    request(healthy, described, { key: await healthy.makeKey({ role: 'guest' }) }),
  '403 readOnly': async ({ healthy }, described) =>
    request(healthy, described, { key: await healthy.makeKey({ role: 'editor', readOnly: true }) }),
  '404 unknown': async ({ healthy }, described) => {
    const validInput = operationTexts[nameOf(described)]?.valid;
    const input = { ...validInput, id: unknownIdentifier, programId: unknownIdentifier };
    return request(healthy, described, { input });
  },
  '405 method': async ({ healthy }, { path }) => healthy.rest('put', path.replace('{id}', '1')),
  '409 running': async ({ strict }, described) => {
    const lock = await lockTable(strict.database, 'programs', 'ACCESS EXCLUSIVE');
    const first = repeatable(strict, described, 'running').then((response) => response);
    try {
      await lock.waitUntilBlocking();
      return await repeatable(strict, described, 'running');
    } finally {
      await lock.release();
      await first;
    }
  },
  '413 tooLarge': async ({ healthy }, described) =>
    request(healthy, described, { input: { name: 'a'.repeat(102_400) } }),
  '415 notJson': async ({ healthy }, { method, path }) =>
    healthy.rest(method, path.replace('{id}', '1')).set('Content-Type', 'text/plain').send('{}'),
  '422 response': async ({ healthy }, described) => {
    const { id } = await healthy.make.program();
    await healthy.database.query(
      `INSERT INTO branches (id, program_id, name, description) SELECT 1000 + i, $1, 'B', repeat('d', 2000) FROM generate_series(1, 4200) AS i`,
      [id],
    );
    return request(healthy, described, { input: { id } });
  },
  '422 otherBody': async ({ strict }, described) => {
    const { id: programId } = await strict.make.program();
    await repeatable(strict, described, 'once', { programId });
    return repeatable(strict, described, 'once', { programId, name: 'Another' });
  },
  '429 invalidKeys': async ({ strict }, described) => {
    await request(strict, described, { key: 'an-invalid-key' });
    return request(strict, described, { key: 'another-invalid-key' });
  },
  '500 unforeseen': async ({ healthy }, described) => {
    await healthy.database.query('ALTER TABLE api_keys RENAME TO lost');
    const response = await request(healthy, described, { key: 'a-key-not-seen-before' });
    await healthy.database.query('ALTER TABLE lost RENAME TO api_keys');
    return response;
  },
  '503 unavailable': async ({ cutOff }, described) => request(cutOff, described, { key: 'a-key-not-seen-before' }),
};

function repeatable(server: TestServer, described: Described, key: string, changed: object = {}): Test {
  const input = { ...operationTexts[nameOf(described)]?.valid, ...changed };
  return request(server, described, { input }).set('Idempotency-Key', key);
}
