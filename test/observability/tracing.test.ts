import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { makeApiKey } from '../../src/validation/api-key-form.ts';
import { databaseForTest } from '../support/database.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { within } from '../support/running-time.ts';
import { adminKey } from '../support/server.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callersSpan = '00f067aa0ba902b7';

async function startService(
  environment: Readonly<Record<string, string>>,
  { imports = [], statement }: { imports?: readonly string[]; statement?: string } = {},
) {
  const database = await databaseForTest();
  if (statement !== undefined) await database.query(statement);
  const service = startProcess({ DATABASE_URL: database.url, ...environment }, { imports });
  return { ...service, database, at: await service.url };
}

const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** Prints a line for each file that is loaded with modules of OpenTelemetry beside its API, which `prom-client` loads. */
const printLoaded = dataUrl(`
  import { register } from 'node:module';
  register(${JSON.stringify(
    dataUrl(`
      import { writeSync } from 'node:fs';
      export async function load(url, context, next) {
        const loaded = await next(url, context);
        const has = /node_modules.@opentelemetry.(?!api\\b)/.test(String(loaded.source));
        if (has) writeSync(1, 'with OpenTelemetry: ' + url + '\\n');
        return loaded;
      }`),
  )});
`);
const loadedWithIt = ({ stdoutLines }: ServiceProcess) =>
  stdoutLines.filter((line) => line.startsWith('with OpenTelemetry: '));

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

async function request(
  address: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Response> {
  const response = await fetch(address, {
    method,
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.clone().text();
  return response;
}

async function stop({ child, ended }: ServiceProcess): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}

/** Well-formed, as only those are recognized. */
const unknownKey = makeApiKey();

/** A span and its children, in the order in which they ended. */
interface Tree {
  readonly name: string;
  readonly children?: readonly Tree[];
}

function treeOf(spans: readonly ReceivedSpan[], { id, name }: ReceivedSpan): Tree {
  const children = spans.filter(({ parent }) => parent === id).map((part) => treeOf(spans, part));
  return children.length === 0 ? { name } : { name, children };
}

function trees({ spans }: OtlpReceiver): Tree[] {
  const known = new Set(spans.map(({ id }) => id));
  return spans.filter(({ parent }) => !known.has(parent)).map((root) => treeOf(spans, root));
}

it('exports a span tree of each request, its operation and its statements, in the trace of the caller, marks those of internal errors as failed, and each request of a group commit has all of its spans', async () => {
  const receiver = await startOtlpReceiver();
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=collectors-own',
    LOG_LEVEL: 'debug',
  };
  // The change log leads back to the instance that made a change, which then reads what it concerns once more.
  const statement = `INSERT INTO programs (name, duration) VALUES ('Chemistry', '4 Years')`;
  const service = await startService(environment, { imports: [printLoaded], statement });
  const query = 'mutation Make($input: CreateProgramInput!) { createProgram(input: $input) { id } }';
  const variables = { input: { name: 'Physics', duration: '4 Years' } };
  await request(`${service.at}/graphql`, { method: 'POST', body: { query, variables } });
  const address = `${service.at}/v1/api/academics/programs/1?unknown=parameter`;
  await request(address, { headers: { traceparent: `00-${traceId}-${callersSpan}-01` } });
  await request(address);
  await request(`${service.at}/made/${unknownKey}`);
  const programs = `${service.at}/v1/api/academics/programs`;
  const creates = Array.from({ length: 12 }, (_, index) =>
    request(programs, {
      method: 'POST',
      headers: { 'idempotency-key': `key-${index}` },
      body: { name: 'Physics', duration: '4 Years' },
    }),
  );
  for (const { status } of await Promise.all(creates)) expect(status).toBe(201);
  await request(`${service.at}/v1/api/academics/branches/41`);
  await service.database.query('ALTER TABLE branches RENAME TO elsewhere');
  await request(`${service.at}/v1/api/academics/branches/42`);

  await stop(service);

  const name = 'POST /v1/api/academics/programs';
  const statements = ['SELECT idempotency_records', 'INSERT programs', 'INSERT idempotency_records'];
  const spans = ['BEGIN', ...statements, 'COMMIT'].map((statement) => ({ name: statement }));
  const tree = { name, children: [{ name: 'mutation', children: spans }] };
  // On a busy machine, a caller may have to be looked up again.
  const withoutLookup = ({ children = [], ...one }: Tree) => ({
    ...one,
    children: children.filter((child) => child.name !== 'SELECT api_keys'),
  });
  const ofCreates = trees(receiver).filter((one) => one.name === name);
  expect(ofCreates.map(withoutLookup)).toEqual(creates.map(() => tree));
  const failed = receiver.spans.filter(({ status }) => status !== 0);
  expect(failed.map((span) => [span.name, span.attributes['error.type']])).toEqual([
    ['SELECT branch_years', 'error'],
    ['query', 'INTERNAL_SERVER_ERROR'],
    ['GET /v1/api/academics/branches/:id', '500'],
  ]);
  expect(trees(receiver).slice(0, 4)).toEqual([
    {
      name: 'POST /graphql',
      children: [
        { name: 'SELECT api_keys' },
        {
          name: 'mutation',
          // The first one reads the definitions, once; the last one looks for programs of the same name.
          children: ['SELECT attribute_choices', 'BEGIN', 'INSERT programs', 'COMMIT', 'SELECT programs'].map(
            (statement) => ({ name: statement }),
          ),
        },
      ],
    },
    {
      name: 'GET /v1/api/academics/programs/:id',
      // One statement, named by the first table that it reads.
      children: [{ name: 'query', children: [{ name: 'SELECT branches' }] }],
    },
    { name: 'GET /v1/api/academics/programs/:id' },
    { name: 'GET' },
  ]);
  const [continued] = receiver.spans.filter(({ parent }) => parent === callersSpan);
  expect(continued).toMatchObject({
    traceId,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/v1/api/academics/programs/:id',
      'http.response.status_code': 200,
      'url.path': '/v1/api/academics/programs/1',
    },
  });
  expect(receiver.spans.find((span) => span.name === 'mutation')?.attributes).toEqual({
    'graphql.operation.type': 'mutation',
    'graphql.operation.name': 'Make',
  });
  expect(receiver.spans.find((span) => span.name === 'INSERT programs')?.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.query.summary': 'INSERT programs',
    'db.query.text': expect.stringMatching(/\$1.*INSERT INTO programs /s),
  });
  expect(loadedWithIt(service)).not.toEqual([]);
  expect(receiver.services).toEqual(new Set(['academic-structure-service']));
  expect(receiver.bytes().toString()).toContain('/v1/traces');
  expect(receiver.bytes().toString()).toContain('"authorization":"collectors-own"');
  // No parameters of statements, no API key, no database address.
  for (const secret of [adminKey, unknownKey, 'Physics', 'unknown=parameter', 'postgresql://']) {
    expect(receiver.bytes().includes(secret)).toBe(false);
  }
  const lines = service
    .stderr()
    .split('\n')
    .filter((line) => line.includes(`"trace_id":"${traceId}"`));
  expect(lines).toEqual([expect.stringContaining('"msg":"request"')]);
  expect(service.stderr()).not.toContain('collectors-own');
});

it('keeps serving while spans cannot be exported, logs that once, and still stops', async () => {
  const collector = createServer((_request, response) => response.writeHead(401).end());
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    collector.close();
  });
  const { port } = collector.address() as AddressInfo;
  const service = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://name:pass-word@127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '20',
  });
  let rejected = 0;
  collector.on('request', () => {
    rejected += 1;
  });

  await within(10_000, async () => {
    expect((await request(`${service.at}/v1/ping`)).status).toBe(200);
    expect(rejected).toBeGreaterThan(2);
  });
  await stop(service);

  const lines = service
    .stderr()
    .trim()
    .split('\n')
    // Of a server that lacks fixes, it says so.
    .filter((line) => !line.includes('PostgreSQL'));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 40, time: expect.any(Number), reason: 401, msg: 'traces cannot be exported' },
  ]);
});

it('loads no OpenTelemetry SDK and logs no trace id when no endpoint is configured', async () => {
  const service = await startService({ LOG_LEVEL: 'debug' }, { imports: [printLoaded] });
  await request(`${service.at}/v1/ping`);
  await stop(service);

  expect(loadedWithIt(service)).toEqual([]);
  expect(service.stderr()).toContain('"requestId"');
  expect(service.stderr()).not.toContain('trace_id');
});
