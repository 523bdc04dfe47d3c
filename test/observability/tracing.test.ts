import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { adminKey } from '../support/server.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callersSpan = '00f067aa0ba902b7';

async function startService(environment: Readonly<Record<string, string>>, imports: readonly string[] = []) {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const service = startProcess({ DATABASE_URL: database.url, ...environment }, imports);
  return { ...service, database, at: await service.url };
}

/** Prints, at the end of the process, how many modules of OpenTelemetry it has loaded beside the API, which `prom-client` loads. */
const tellLoaded = `data:text/javascript,
  import { createRequire } from 'node:module';
  const { cache } = createRequire('file:///');
  process.on('exit', () => console.log(Object.keys(cache).filter((file) => file.includes('@opentelemetry') && !file.includes('@opentelemetry/api/')).length));`;

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

async function ask(address: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Response> {
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

/** A span and what is part of it, in the order in which they ended. */
interface Tree {
  readonly name: string;
  readonly parts?: readonly Tree[];
}

function treeOf(spans: readonly ReceivedSpan[], { id, name }: ReceivedSpan): Tree {
  const parts = spans.filter(({ parent }) => parent === id).map((part) => treeOf(spans, part));
  return parts.length === 0 ? { name } : { name, parts };
}

function trees({ spans }: OtlpReceiver): Tree[] {
  const known = new Set(spans.map(({ id }) => id));
  return spans.filter(({ parent }) => !known.has(parent)).map((root) => treeOf(spans, root));
}

it('shows each request, its operation and its statements as a tree, in the trace of the caller', async () => {
  const receiver = await startOtlpReceiver();
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=collectors-own',
    LOG_LEVEL: 'debug',
  };
  const service = await startService(environment, [tellLoaded]);
  const query = 'mutation Make($input: CreateProgramInput!) { createProgram(input: $input) { id } }';
  const variables = { input: { name: 'Physics', duration: '4 Years' } };
  await ask(`${service.at}/graphql`, { method: 'POST', body: { query, variables } });
  const address = `${service.at}/v1/api/academics/programs/1?unknown=parameter`;
  await ask(address, { headers: { traceparent: `00-${traceId}-${callersSpan}-01` } });
  await ask(address);
  await ask(`${service.at}/made/up`);

  await stop(service);

  expect(trees(receiver)).toEqual([
    {
      name: 'POST /graphql',
      parts: [
        { name: 'SELECT api_keys' },
        {
          name: 'mutation',
          parts: [{ name: 'BEGIN' }, { name: 'INSERT programs' }, { name: 'COMMIT' }],
        },
      ],
    },
    {
      name: 'GET /v1/api/academics/programs/:id',
      parts: [{ name: 'query', parts: [{ name: 'SELECT programs' }, { name: 'SELECT branches' }] }],
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
  expect(receiver.spans.find(({ name }) => name === 'mutation')?.attributes).toEqual({
    'graphql.operation.type': 'mutation',
    'graphql.operation.name': 'Make',
  });
  expect(receiver.spans.find(({ name }) => name === 'INSERT programs')?.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.query.summary': 'INSERT programs',
    'db.query.text': expect.stringMatching(/\$1.*INSERT INTO programs /s),
  });
  expect(Number(service.stdoutLines.at(-1))).toBeGreaterThan(0);
  expect(receiver.services).toEqual(new Set(['academic-structure-service']));
  expect(receiver.bytes().toString()).toContain('/v1/traces');
  expect(receiver.bytes().toString()).toContain('"authorization":"collectors-own"');
  // Not even the values of statements; no key, no address of the database.
  for (const secret of [adminKey, 'Physics', 'unknown=parameter', 'postgresql://']) {
    expect(receiver.bytes().includes(secret)).toBe(false);
  }
  const lines = service
    .stderr()
    .split('\n')
    .filter((line) => line.includes(`"trace_id":"${traceId}"`));
  expect(lines).toEqual([expect.stringContaining('"msg":"request"')]);
  expect(service.stderr()).not.toContain('collectors-own');
});

it('shows each of the requests that share a transaction all that it has waited for', async () => {
  const receiver = await startOtlpReceiver();
  const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  const address = `${service.at}/v1/api/academics/programs`;
  await ask(address);
  const creates = Array.from({ length: 12 }, (_, index) =>
    ask(address, {
      method: 'POST',
      headers: { 'idempotency-key': `key-${index}` },
      body: { name: 'Physics', duration: '4 Years' },
    }),
  );
  for (const { status } of await Promise.all(creates)) expect(status).toBe(201);

  await stop(service);

  const name = 'POST /v1/api/academics/programs';
  const parts = [
    { name: 'BEGIN' },
    { name: 'SELECT idempotency_records' },
    { name: 'mutation', parts: [{ name: 'INSERT programs' }] },
    { name: 'INSERT idempotency_records' },
    { name: 'COMMIT' },
  ];
  expect(trees(receiver).filter((tree) => tree.name === name)).toEqual(creates.map(() => ({ name, parts })));
});

it('marks what the service failed at, and not what callers were refused', async () => {
  const receiver = await startOtlpReceiver();
  const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  await ask(`${service.at}/v1/api/academics/branches/41`);
  await service.database.query('ALTER TABLE branches RENAME TO elsewhere');
  await ask(`${service.at}/v1/api/academics/branches/42`);

  await stop(service);

  const failed = receiver.spans.filter(({ status }) => status !== 0);
  expect(failed.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
    ['SELECT branches', 'error'],
    ['query', 'INTERNAL_SERVER_ERROR'],
    ['GET /v1/api/academics/branches/:id', '500'],
  ]);
});

it('answers all the same while spans cannot be sent, says so once, and stops in time', async () => {
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
  let refused = 0;
  collector.on('request', () => {
    refused += 1;
  });

  await vi.waitFor(async () => {
    expect((await ask(`${service.at}/v1/ping`)).status).toBe(200);
    expect(refused).toBeGreaterThan(2);
  });
  await stop(service);

  const lines = service.stderr().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 40, time: expect.any(Number), reason: 401, msg: 'traces cannot be exported' },
  ]);
});

it('loads nothing of OpenTelemetry, and logs no trace, when nobody has said where spans go', async () => {
  const service = await startService({ LOG_LEVEL: 'debug' }, [tellLoaded]);
  await ask(`${service.at}/v1/ping`);
  await stop(service);

  expect(service.stdoutLines.at(-1)).toBe('0');
  expect(service.stderr()).toContain('"requestId"');
  expect(service.stderr()).not.toContain('trace_id');
});
