import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDatabaseProxy } from '@service/postgres/testing/database-proxy';
import { lockTable } from '@service/postgres/testing/table-lock';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { startJwksServer } from '../../authentication/jwt/jwks-server.ts';
import { databaseAt, startReplicated } from '../../database/outages/replication.ts';
import { failures } from '../../docs/failures.ts';
import { makeSigningKey } from '../../support/credentials/tokens.ts';
import { databaseForTest } from '../../support/database.ts';
import { freePort } from '../../support/process.ts';
import { within } from '../../support/running-time.ts';
import { adminKey, serverForTest, startTestServer, type TestServer } from '../../support/server.ts';
import { makeCertificate } from '../proxies/certificate.ts';
import { startPgBouncer } from '../proxies/pgbouncer.ts';
import { startPrometheus } from './prometheus.ts';

/** A service in which something fails, and the requests that meet it; a scrape of Prometheus is one too. */
interface Failing {
  readonly server: TestServer;
  readonly request?: () => Promise<unknown>;
}

const write = (server: TestServer) => () =>
  server.graphql('mutation { createProgram(input: { name: "Physics", duration: "1 Year" }) { id } }');

/** A service whose database is behind a proxy that the test can cut. */
async function behindProxy(): Promise<{ server: TestServer; proxy: Awaited<ReturnType<typeof openDatabaseProxy>> }> {
  const database = await databaseForTest();
  const proxy = await openDatabaseProxy(database.url);
  onTestFinished(() => proxy.close());
  return { server: await serverForTest({}, { ...database, url: proxy.url }), proxy };
}

const causes: Record<string, () => Promise<Failing>> = {
  'the database is away': async () => {
    const { server, proxy } = await behindProxy();
    await proxy.cut();
    return { server, request: write(server) };
  },
  'the database is frozen': async () => {
    const { server, proxy } = await behindProxy();
    proxy.hang();
    return { server, request: write(server) };
  },
  'the database is a standby': async () => {
    const { primary, standby, close } = await startReplicated({ synchronous: false });
    onTestFinished(close);
    await (await serverForTest({}, databaseAt([primary]))).rest('get', '/ping');
    await within(20_000, async () =>
      expect(await standby.query('SELECT 1 FROM api_keys').catch(() => [])).not.toEqual([]),
    );
    return { server: await serverForTest({}, databaseAt([standby])) };
  },
  "the database's certificate has expired": async () => {
    const database = await databaseForTest();
    const [valid, expired] = [await makeCertificate('IP:127.0.0.1'), await makeCertificate('IP:127.0.0.1', 'expired')];
    await appendFile(valid.certificate, await readFile(expired.certificate));
    const proxy = await openDatabaseProxy(await startPgBouncer(database.url, 'session', valid));
    onTestFinished(() => proxy.close());
    const { host } = new URL(await startPgBouncer(database.url, 'session', expired));
    const parameters = `?sslmode=verify-full&sslrootcert=${valid.certificate}`;
    const url = `${proxy.url.replace(/(?<=@)[^/]+/, (first) => `${first},${host}`)}${parameters}`;
    const server = await serverForTest({}, { ...database, url });
    await proxy.cut();
    return { server, request: write(server) };
  },
  "the database's disk is full": async () => {
    const server = await serverForTest();
    await server.database.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE disk_full USING MESSAGE = 'could not extend file "base/5/1": No space left on device'; END $$`);
    await server.database.query('CREATE TRIGGER full_disk BEFORE INSERT ON programs EXECUTE FUNCTION full_disk()');
    return { server, request: write(server) };
  },
  'the pool is exhausted': async () => {
    const server = await serverForTest();
    const { id } = await server.make.program();
    await lockTable(server.database, 'branches');
    const body = { programId: id, name: 'Optics', years: 3 };
    // A caller has four of the connections.
    const keys = await Promise.all(['ann', 'bob', 'eve'].map((user) => server.makeKey({ user, role: 'editor' })));
    const create = (_: unknown, index: number) =>
      server
        .rest('post', '/api/academics/branches', keys[index % 3])
        .send(body)
        .then(() => undefined);
    return { server, request: async () => void Array.from({ length: 20 }, create) };
  },
  'the poll of the change log fails': async () => {
    const server = await serverForTest();
    await server.database.query('ALTER TABLE change_log RENAME TO lost');
    // Lists count by the change log, too.
    return { server, request: () => server.rest('get', '/ping') };
  },
  'the service has a fault': async () => {
    const server = await serverForTest();
    await server.database.query('ALTER TABLE audit_entries RENAME TO lost');
    return { server, request: () => server.graphql('{ auditLog(first: 1) { nodes { id } } }') };
  },
  'the identity provider is away': async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    const settings = {
      OIDC_ISSUER: away,
      OIDC_CLIENT_ID: 'client',
      OIDC_CLIENT_SECRET: 'a secret that is long enough',
    };
    const server = await serverForTest({ ...settings, PUBLIC_URL: 'http://127.0.0.1:4000' });
    return { server, request: () => fetch(`${server.url}/session/sign-in`, { redirect: 'manual' }) };
  },
  'the host of `JWT_JWKS_URL` is away': async () => {
    const host = await startJwksServer();
    await host.goDown();
    const server = await serverForTest({ JWT_JWKS_URL: host.url });
    const token = await (await makeSigningKey('ES256', 'new')).sign({ sub: 'ada' });
    const headers = { authorization: `Bearer ${token}` };
    return { server, request: () => fetch(`${server.url}/v1/ping`, { headers }) };
  },
  'credentials are guessed': async () => {
    const server = await serverForTest({ AUTH_FAILURES_PER_MINUTE: '5' });
    return { server, request: () => server.rest('get', '/ping', 'uas_guessed') };
  },
  'keys in use end soon': async () => {
    const server = await serverForTest();
    await server.rest('get', '/ping', await server.makeKey());
    await server.database.query(
      `UPDATE api_keys SET created_at = now() - interval '90 days', expires_at = now() + interval '3 days', last_used_at = now()`,
    );
    return { server };
  },
  'people have not signed in for long': async () => {
    const server = await serverForTest();
    await server.database.query(
      `UPDATE api_keys SET sign_in_of = user_id, sign_in_until = now() + interval '3 days', last_used_at = now()`,
    );
    return { server };
  },
  'an instance is gone': async () => {
    const server = await startTestServer();
    await server.close();
    return { server };
  },
};

it.each(failures.filter(({ failure }) => failure in causes))('$failure: $rule', async ({ failure, rule, log }) => {
  const cause = causes[failure];
  if (cause === undefined) throw new Error(`Nothing causes this: ${failure}.`);
  const { server, request = () => server.rest('get', '/api/academics/programs') } = await cause();
  const prometheus = await startPrometheus(new URL(server.url).host);

  await within(60_000, async () => {
    await Promise.resolve(request()).catch(() => undefined);
    const states = (await prometheus.rules()).filter(({ state }) => state !== 'inactive').map(({ name }) => name);
    expect(states).toContain(rule);
    if (log !== undefined) expect(server.logged.join('')).toContain(log);
  });
  expect(server.logged.join('')).not.toContain(adminKey);
  // An outage is no fault of the service.
  if (rule !== 'InternalErrors') expect(server.logged.filter((line) => line.startsWith('{"level":50'))).toEqual([]);
});

/** What no test causes in a minute, as series of one sample a minute. */
const unseen: Record<string, Record<string, string>> = {
  'too many requests': {
    'http_requests_total{status="200"}': '0+1000x60',
    'http_requests_total{status="503"}': '0+20x60',
  },
  'requests are slow': {
    'http_request_duration_seconds_bucket{le="1"}': '0+90x60',
    'http_request_duration_seconds_bucket{le="2.5"}': '0+100x60',
    'http_request_duration_seconds_bucket{le="+Inf"}': '0+100x60',
  },
  'the event loop is blocked': { 'nodejs_eventloop_lag_p99_seconds{instance="one"}': '0.8x60' },
  'no backup has succeeded for 26 hours': {
    'kube_cronjob_status_last_successful_time{cronjob="academic-structure-backup"}': '0x2000',
  },
};
/** The same for a crontab, and for a CronJob that has never succeeded. */
const otherBackups = ['academic_structure_backup_seconds', 'kube_cronjob_created{cronjob="academic-structure-backup"}'];

it.each([
  ...Object.entries(unseen),
  ...otherBackups.map((name): [string, Record<string, string>] => [
    'no backup has succeeded for 26 hours',
    { [name]: '0x2000' },
  ]),
])('%s, in the rules of Prometheus: %o', async (failure, values) => {
  const rule = failures.find((candidate) => candidate.failure === failure)?.rule;
  const isLong = Object.values(values).some((text) => text.endsWith('x2000'));
  const folder = await mkdtemp(path.join(tmpdir(), 'rules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const test = {
    interval: '1m',
    input_series: Object.entries(values).map(([series, samples]) => ({ series, values: samples })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${rule}", alertstate="firing"})`,
        eval_time: isLong ? '30h' : '50m',
        exp_samples: [{ labels: '{}', value: 1 }],
      },
    ],
  };
  const file = path.join(folder, 'test.yaml');
  await writeFile(file, stringify({ rule_files: [path.resolve('deploy/alerts.yaml')], tests: [test] }));
  await promisify(execFile)('promtool', ['test', 'rules', file]);
});

it('each failure of docs/operation.md is caused by one of these tests', () => {
  expect([...Object.keys(causes), ...Object.keys(unseen)].toSorted()).toEqual(
    failures.map(({ failure }) => failure).toSorted(),
  );
});
