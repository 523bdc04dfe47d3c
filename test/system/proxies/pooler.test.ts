import { setTimeout as delay } from 'node:timers/promises';
import { lockTable } from '@service/postgres/testing/table-lock';
import { expect, it, vi } from 'vitest';
import { databaseForTest, type TestDatabase } from '../../support/database.ts';
import { type ServiceProcess, startProcess } from '../../support/process.ts';
import { adminKey } from '../../support/server.ts';
import { serverConnections, startPgBouncer } from './pgbouncer.ts';

// Mostly the time that instances take to start.
vi.setConfig({ testTimeout: 180_000 });

const instances = 4;
const requestsEach = 150;
const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
const programs = '/v1/api/academics/programs';

const newDatabase = (template?: null): Promise<TestDatabase> => databaseForTest(template);

async function started(environment: Readonly<Record<string, string>>): Promise<[ServiceProcess, string]> {
  const service = startProcess(environment);
  return [service, await service.url];
}

const post = (path: string, body: object): [string, RequestInit] => [
  path,
  { method: 'POST', body: JSON.stringify(body) },
];

/** A mix of everything that the service does with its database. */
function request(number: number): [path: string, init?: RequestInit] {
  const id = 1 + (number % 20);
  const kinds: readonly [string, RequestInit?][] = [
    [`${programs}?page=${1 + (number % 3)}&size=${1 + (number % 50)}`],
    [`${programs}/${id}`],
    post(programs, { name: `Program ${number}`, duration: '4 Years' }),
    [
      programs,
      {
        method: 'POST',
        body: '{"name":"Once","duration":"1 Year"}',
        headers: { ...headers, 'idempotency-key': `${number}` },
      },
    ],
    post('/v1/api/academics/branches', { programId: id, name: 'Branch', years: 3 }),
    post('/graphql', { query: `mutation { updateProgram(id: ${id}, input: { name: "New ${number}" }) { version } }` }),
    post('/graphql', {
      query: `{ programsConnection(first: ${id}, filter: { search: "pro" }) { totalCount nodes { branches { years { code } } } } }`,
    }),
    post('/graphql', { query: '{ catalogStats { programs branches } }' }),
    ['/readyz'],
  ];
  return kinds[number % kinds.length] ?? ['/readyz'];
}

it('serves a mixed load from four instances through PgBouncer in transaction mode, configured only by DATABASE_URL', async () => {
  const database = await newDatabase(null);
  await database.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET timezone = ''Asia/Kolkata''', current_database());
    EXECUTE format('ALTER DATABASE %I SET DateStyle = ''SQL, DMY''', current_database()); END $$`);
  const DATABASE_URL = await startPgBouncer(database.url, 'transaction');
  // All at once, on an empty database: one of them migrates it.
  const services = await Promise.all(Array.from({ length: instances }, () => started({ DATABASE_URL })));
  await database.query(`INSERT INTO programs (name, duration) SELECT 'Program', '4 Years' FROM generate_series(1, 20)`);
  const unexpected: string[] = [];
  let sent = 0;
  const client = async (url: string): Promise<void> => {
    for (let count = 0; count < requestsEach; count += 1) {
      sent += 1;
      const [path, init] = request(sent);
      const response = await fetch(url + path, { headers, ...init });
      const text = await response.text();
      // On a busy machine, some may time out with a 503, which clients retry.
      const isAllowed = [200, 201, 503].includes(response.status) && !/"errors":(?!.*"UNAVAILABLE")/.test(text);
      if (!isAllowed) unexpected.push(`${path} ${response.status} ${text}`);
    }
  };
  let connectionsMax = 0;
  let loaded = true;
  const watching = (async () => {
    while (loaded) {
      const [row] = await database.query(`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`);
      connectionsMax = Math.max(connectionsMax, Number(row?.['count']));
      await delay(10);
    }
  })();

  await Promise.all(services.flatMap(([, url]) => [client(url), client(url), client(url)]));
  loaded = false;
  await watching;

  expect(unexpected).toEqual([]);
  const end = new Date(Date.now() + 3_600_000).toISOString();
  const create = `mutation { createApiKey(input: { userId: 1, name: "till", expiresAt: "${end}" }) { apiKey { id } } }`;
  await Promise.all(services.map(([, url]) => fetch(`${url}/graphql`, { headers, ...post('', { query: create })[1] })));
  expect(
    await database.query(
      `SELECT (extract(epoch FROM expires_at) * 1000)::float8 AS ms FROM api_keys WHERE name = 'till'`,
    ),
  ).toEqual(services.map(() => ({ ms: Date.parse(end) })));
  expect(connectionsMax).toBeLessThanOrEqual(serverConnections);
  for (const [service] of services) {
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  }
  expect(
    await database.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`),
  ).toEqual([]);
});

it.each(['direct', 'session', 'transaction'] as const)(
  'leaves no transaction idle for more than four seconds when an instance freezes while it writes (%s)',
  async (mode) => {
    const database = await newDatabase();
    const DATABASE_URL = mode === 'direct' ? database.url : await startPgBouncer(database.url, mode);
    const [service, url] = await started({ DATABASE_URL });
    await database.query(`INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years')`);
    const held = await lockTable(database, 'audit_entries');
    const writing = fetch(url + post('/graphql', {})[0], {
      headers,
      method: 'POST',
      body: JSON.stringify({ query: 'mutation { updateProgram(id: 1, input: { name: "Frozen" }) { version } }' }),
    }).catch(() => undefined);
    await held.waitUntilBlocking();

    service.child.kill('SIGSTOP');
    await held.release();

    // The statement that waited is done, and the frozen instance sends no other.
    const idle = `SELECT extract(epoch FROM clock_timestamp() - state_change)::float AS seconds FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    await vi.waitFor(async () => expect(await database.query(idle)).toHaveLength(1), { timeout: 10_000, interval: 5 });
    let longest = 0;
    await vi.waitFor(
      async () => {
        const rows = await database.query(idle);
        for (const { seconds } of rows) longest = Math.max(longest, Number(seconds));
        expect(rows).toEqual([]);
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(longest).toBeLessThan(4);
    service.child.kill('SIGKILL');
    await writing;
  },
);
