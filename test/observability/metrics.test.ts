import { readFileSync } from 'node:fs';
import { lockTable } from '@service/postgres/testing/table-lock';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { failures } from '../docs/failures.ts';
import { within } from '../support/running-time.ts';
import { startTestServer, useServer } from '../support/server.ts';

const server = useServer();

const metrics = async () => (await supertest(server.url).get('/metrics')).text;

it('counts requests by route, method and status, and unknown paths under one label', async () => {
  await server.rest('get', '/api/academics/programs/41');
  await server.rest('get', '/api/academics/programs/42');
  await server.rest('get', '/no/such/path');
  await supertest(server.url).get('/none');

  const text = await metrics();

  expect(text).toContain('http_requests_total{route="/v1/api/academics/programs/:id",method="GET",status="404"} 2');
  expect(text).toMatch(/http_requests_total\{route="other",method="GET",status="404"\} 2/);
  expect(text).not.toContain('/no/such/path');
});

it('observes request durations by route and method', async () => {
  const labels = 'route="/v1/api/academics/branches/:id",method="GET"';
  await server.rest('get', '/api/academics/branches/none');

  const text = await metrics();

  for (const bound of ['10', '+Inf']) {
    expect(text).toContain(`http_request_duration_seconds_bucket{${labels},le="${bound}"} 1`);
  }
  expect(text).toContain(`http_request_duration_seconds_count{${labels}} 1`);
  expect(text).toMatch(/^http_request_duration_seconds_sum\{.*branches.*\} 0\.\d+$/m);
});

it('counts hits and misses of the response cache', async () => {
  const [before] = /response_cache_lookups_total\{result="hit"\} \d+/.exec(await metrics()) ?? [];
  expect(before).toBe('response_cache_lookups_total{result="hit"} 0');

  for (const path of ['/api/academics/programs', '/api/academics/programs']) await server.rest('get', path);

  expect(await metrics()).toContain('response_cache_lookups_total{result="hit"} 1');
  expect(await metrics()).toMatch(/response_cache_lookups_total\{result="miss"\} [1-9]/);
});

it('counts root fields by error code, and their durations, over REST and GraphQL', async () => {
  await server.rest('get', '/api/academics/branches/42');
  await server.graphql('{ branch(id: 42) { id } ping { status } }');
  await server.graphql('{ users { id } }', {}, await server.makeKey({ role: 'viewer' }));

  const text = await metrics();

  expect(text).toContain('graphql_fields_total{field="branch",code="NOT_FOUND"} 2');
  expect(text).toContain('graphql_fields_total{field="ping",code="ok"} 1');
  expect(text).toContain('graphql_fields_total{field="users",code="FORBIDDEN"} 1');
  expect(text).toContain('graphql_field_duration_seconds_count{field="ping"} 1');
});

it('counts requests that GraphQL rejects before a resolver runs, by error code', async () => {
  const countOf = async (code: string) =>
    Number(new RegExp(`^errors_total\\{code="${code}"\\} (\\d+)$`, 'm').exec(await metrics())?.[1] ?? 0);
  const rejected = [
    ['GRAPHQL_PARSE_FAILED', { query: '{' }],
    ['GRAPHQL_VALIDATION_FAILED', { query: '{ one two three }' }],
    ['BAD_USER_INPUT', { query: 'query ($id: Int!) { program(id: $id) { id } }' }],
    ['BAD_USER_INPUT', { query: null }],
  ] as const;
  for (const [code, body] of rejected) {
    const before = await countOf(code);
    for (const accept of ['*/*', 'application/json']) await server.graphql('').set('Accept', accept).send(body);
    expect({ code, count: (await countOf(code)) - before }).toEqual({ code, count: 2 });
  }
});

it('counts a response of GraphQL with errors once for each of their codes, as REST counts its error', async () => {
  const countOf = async () => Number(/^errors_total\{code="NOT_FOUND"\} (\d+)$/m.exec(await metrics())?.[1] ?? 0);
  const before = await countOf();
  await server.rest('get', '/api/academics/branches/42');
  await server.graphql('{ one: branch(id: 42) { id } other: branch(id: 43) { id } ping { status } }');
  await server.graphql('{ branch(id: 42) { id name } }').set('Accept', 'text/event-stream');

  expect((await countOf()) - before).toBe(3);
});

it('reports the size of the catalog, and whether its changes are known', async () => {
  await server.make.program();

  // A scrape reports the last known counts when the database takes longer than 50 ms.
  const text = await within(5_000, async () => {
    const scraped = await metrics();
    expect(scraped.match(/(?<=^catalog_records)\{.*\} \d+$/gm)).toEqual([
      expect.stringMatching(/^\{kind="programs"\} [1-9]/),
      '{kind="branches"} 0',
    ]);
    return scraped;
  });
  expect(text).toMatch(/^change_log_live 1$/m);
  expect(text).toMatch(/^ready 1$/m);
  expect(text).toMatch(/^api_keys_expiring 0$/m);
  expect(text).toMatch(/^api_keys_needing_sign_in 0$/m);
  expect(text).toMatch(/^rate_limited_requests_total\{reason="caller"\} 0$/m);
  expect(text).toMatch(/^errors_total\{code="INTERNAL_SERVER_ERROR"\} 0$/m);
});

it('does not wait for the database', async () => {
  const { id } = await server.make.program();
  const lock = await lockTable(server.database, 'branches');
  const keys = await Promise.all(['ann', 'bob', 'eve'].map((user) => server.makeKey({ user, role: 'editor' })));
  // More than there are connections, of which a caller has four.
  const creates = Array.from({ length: 20 }, (_, index) =>
    server
      .rest('post', '/api/academics/branches', keys[index % 3])
      .send({ programId: id, name: 'Optics', years: 3 })
      .then(),
  );
  await lock.waitUntilBlocking();

  await within(1_000, async () => expect(await metrics()).toMatch(/^database_pool_pending_requests [1-9]/m));

  await lock.release();
  await Promise.all(creates);
});

it('exposes the version, the connection pool and the event-loop delay', async () => {
  const text = await metrics();
  expect(text).toMatch(/^build_info\{version="\d+\.\d+\.\d+",node="v\d+.*"\} 1$/m);
  expect(text).toMatch(/^database_pool_connections\{state="idle"\} \d+$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m);
});

it('serves metrics only on METRICS_PORT when that is set', async () => {
  const lines: string[] = [];
  const own = await startTestServer({ METRICS_PORT: '0' }, undefined, (line) => lines.push(line));
  const address = lines.map((line) => /^metrics on (.*)$/.exec(line)?.[1]).find(Boolean) ?? '';

  expect((await supertest(address).get('')).status).toBe(200);
  expect((await supertest(own.url).get('/metrics')).status).toBe(404);
  for (const path of ['/', '/metrics/', '/%zz']) {
    const response = await fetch(new URL(path, address));
    expect([response.status, await response.json()]).toEqual([404, { message: 'There is no such path.' }]);
    expect(response.headers.get('x-powered-by')).toBeNull();
  }
  await own.close();
});

const dashboard = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });
const alerts = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

const read = (file: string): string => readFileSync(file, 'utf8');
const { rules = [] } = alerts.parse(parse(read('deploy/alerts.yaml'))).groups[0] ?? {};
const expressions = [
  ...dashboard
    .parse(JSON.parse(read('deploy/grafana-dashboard.json')))
    .panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...rules.map(({ expr }) => expr),
];

/** Of Prometheus, of kube-state-metrics, and of the file that a nightly backup writes. */
const foreign = /^(?:up|kube_cronjob_\w+|academic_structure_backup_seconds)$/;

/** Names in an expression that are no functions, labels or keywords of PromQL. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, '');
  const names = [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)].map(([name]) => name);
  return names.filter((name) => !['by', 'sum', 'min', 'max', 'or', 'unless'].includes(name) && !foreign.test(name));
}

it('the dashboard and the alerts name metrics that exist', async () => {
  await server.graphql('{ programs { count } }');
  const existing = new Set(Array.from((await metrics()).matchAll(/^(?:# TYPE )?([a-z_]\w*)/gm), ([, name]) => name));
  const named = [...new Set(expressions.flatMap(metricsIn))];

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !existing.has(name))).toEqual([]);
});

it('docs/operation.md has a failure for each alert, with the metric that it reads', () => {
  expect(new Set(failures.map(({ rule }) => rule))).toEqual(new Set(rules.map(({ alert }) => alert)));
  for (const { rule, metrics } of failures) {
    const expr = rules.find(({ alert }) => alert === rule)?.expr ?? '';
    for (const metric of metrics) expect(expr).toMatch(new RegExp(`\\b${metric}\\b`));
    expect(metrics.length).toBeGreaterThan(0);
  }
});
