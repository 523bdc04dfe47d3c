import { once } from 'node:events';
import { exchange } from '@service/http/testing';
import { type Client, createClient } from 'graphql-ws';
import supertest from 'supertest';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { openSubscriptions } from '../support/event-stream.ts';
import { within } from '../support/running-time.ts';
import { adminKey, startTestServer, type TestServer, useServer } from '../support/server.ts';

const server = useServer();
beforeEach(() => within(10_000, async () => expect(await openSubscriptions(server)).toBe(0)));

const changed = 'subscription ($after: String) { catalogChanged(after: $after) { cursor action program { name } } }';
const addressOf = ({ url }: Pick<TestServer, 'url'>): string => `${url.replace('http', 'ws')}/graphql`;

interface Closed {
  readonly code: number;
  readonly reason: string;
}

function connect(connectionParams: Record<string, unknown>, to = server): { client: Client; closed: Promise<Closed> } {
  let onClosed: (event: unknown) => void = () => undefined;
  const closed = new Promise<Closed>((resolve) => {
    onClosed = (event) => resolve(closeEvent(event));
  });
  const client = createClient({
    url: addressOf(to),
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    on: { closed: onClosed },
  });
  onTestFinished(async () => client.dispose());
  return { client, closed };
}

function closeEvent(event: unknown): Closed {
  return { code: Number(Reflect.get(Object(event), 'code')), reason: String(Reflect.get(Object(event), 'reason')) };
}

const subscribed = (count: number) => within(10_000, async () => expect(await openSubscriptions(server)).toBe(count));

describe('GraphQL over WebSockets', () => {
  it('takes the key from connectionParams and executes queries and mutations as over HTTP', async () => {
    const { client } = connect({ 'x-api-key': adminKey });
    const run = async (query: string) => (await client.iterate({ query }).next()).value;

    expect(await run('{ ping { status } }')).toEqual({ data: { ping: { status: 'ok' } } });
    expect(await run('mutation { createProgram(input: { name: "Optics", duration: "1 Year" }) { name } }')).toEqual({
      data: { createProgram: { name: 'Optics' } },
    });
    expect(await run('{ program(id: 4242) { name } }')).toMatchObject({
      data: { program: null },
      errors: [{ message: 'Program 4242 does not exist.', extensions: { code: 'NOT_FOUND' } }],
    });
  });

  it.each([
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{', 'GRAPHQL_PARSE_FAILED'],
    ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['query ($id: Int!) { program(id: $id) { name } }', 'BAD_USER_INPUT'],
  ])('rejects %s with the message error, as over HTTP, and no other', async (query, code) => {
    const socket = new WebSocket(addressOf(server), 'graphql-transport-ws', { headers: { 'x-api-key': adminKey } });
    onTestFinished(() => socket.terminate());
    const received: Record<string, unknown>[] = [];
    socket.on('message', (data) => received.push(JSON.parse(String(data))));
    await once(socket, 'open');
    socket.send('{"type":"connection_init"}');
    await expect.poll(() => received.length).toBe(1);
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }));
    socket.send(JSON.stringify({ type: 'subscribe', id: '2', payload: { query: '{ ping { status } }' } }));
    await expect
      .poll(() => received.filter(({ type }) => type === 'complete'))
      .toEqual([{ id: '2', type: 'complete' }]);
    const { body } = await server.graphql(query);
    expect(body.errors[0].extensions.code).toBe(code);
    expect(received.filter(({ id }) => id === '1')).toEqual([{ id: '1', type: 'error', payload: body.errors }]);
  });

  it('sends each change, and those that a client has missed when it reconnects with after', async () => {
    const { client } = connect({ Authorization: `Bearer ${adminKey}` });
    const events = client.iterate({ query: changed });
    const first = events.next();
    await subscribed(1);
    await server.make.program({ name: 'Waves' });

    const { value } = await first;
    expect(value).toMatchObject({ data: { catalogChanged: { action: 'CREATE', program: { name: 'Waves' } } } });
    await events.return?.();
    await subscribed(0);
    await server.make.program({ name: 'Particles' });
    const after = Reflect.get(Object(Reflect.get(Object(value?.data), 'catalogChanged')), 'cursor');
    const resumed = await client.iterate({ query: changed, variables: { after } }).next();

    expect(resumed.value).toMatchObject({ data: { catalogChanged: { program: { name: 'Particles' } } } });
  });

  it.each([
    ['no key', {}],
    ['an unknown key', { 'x-api-key': 'no-key-of-this-service' }],
    ['a key that no header can carry', { 'x-api-key': 'a\nb' }],
  ])('closes the connection as forbidden with %s', async (_what, connectionParams) => {
    const { closed } = connect(connectionParams);

    expect(await closed).toEqual({ code: 4403, reason: 'Forbidden' });
  });

  it('completes a subscription when its key is revoked, and closes the connection at the next operation', async () => {
    const key = await server.makeKey({ role: 'viewer', user: 'watcher' });
    const { client, closed } = connect({ 'x-api-key': key });
    const next = client.iterate({ query: changed }).next();
    await subscribed(1);
    await server.database.query(
      "UPDATE api_keys SET revoked_at = now() WHERE user_id = (SELECT id FROM users WHERE name = 'watcher')",
    );

    expect(await next).toEqual({ done: true, value: undefined });
    await Promise.allSettled([client.iterate({ query: '{ ping { status } }' }).next()]);
    expect(await closed).toEqual({ code: 4403, reason: 'API key is invalid.' });
  });

  it('applies the limits of HTTP', async () => {
    const { client } = connect({ 'x-api-key': adminKey });
    const field = 'programs(size: 100) { items { branches { years { id } } } }';
    const query = `{ ${Array.from({ length: 30 }, (_, index) => `a${index}: ${field}`).join(' ')} }`;
    const rejection = await client
      .iterate({ query })
      .next()
      .catch((errors: unknown) => errors);

    const { body } = await server.graphql(query);
    expect(rejection).toEqual(body.errors);
    expect(body).toMatchObject({ errors: [expect.anything()] });
  });

  it('makes clients reconnect when the service stops, and does not wait for idle ones', async () => {
    const other = await startTestServer();
    const { client, closed } = connect({ 'x-api-key': adminKey }, other);
    await client.iterate({ query: '{ ping { status } }' }).next();
    const idle = new WebSocket(addressOf(other), 'graphql-transport-ws');
    await once(idle, 'open');
    await other.close();

    expect([1001, 1012]).toContain((await closed).code);
  });

  it.each([['graphql-ws'], []])('rejects other subprotocols, and says what to use: %s', async (...protocols) => {
    const socket = new WebSocket(addressOf(server), protocols);
    const [, response] = await once(socket, 'unexpected-response');
    let text = '';
    for await (const part of response) text += part;

    expect(response.statusCode).toBe(400);
    expect(JSON.parse(text).errors[0].message).toMatch(/subprotocol graphql-transport-ws .* text\/event-stream\.$/);
  });
});

describe('a client that cannot be served so', () => {
  const send = (method: string, headers: Record<string, string>) =>
    fetch(`${server.url}/graphql`, { method, headers }).then(async (response) => [
      response.status,
      (await response.json()).errors[0],
    ]);

  it('gets a hint at distinct connections when it reserves a single one', async () => {
    const message =
      'PUT is not allowed here; use GET, POST. Of GraphQL over SSE, distinct connections are served: set singleConnection to false.';

    expect(await send('PUT', { 'x-api-key': adminKey })).toEqual([
      405,
      { message, extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it('gets a hint at what can send a key when it is the EventSource of a browser', async () => {
    const hint = 'EventSource cannot send a key: use fetch, graphql-sse or graphql-ws (/docs/recipes).';

    expect(await send('GET', { accept: 'text/event-stream', 'sec-fetch-mode': 'cors' })).toEqual([
      401,
      { message: 'API key is missing.', extensions: { code: 'API_KEY_MISSING', hint } },
    ]);
  });
});

describe('another upgrade', () => {
  it.each([
    ['GET', '/v1/ping', 'websocket', 200, { status: 'ok' }],
    ['GET', '/v1/ping', 'h2c', 200, { status: 'ok' }],
  ])('is served as a plain request: %s %s %s', async (_method, path, upgrade, status, body) => {
    const response = await supertest(server.url)
      .get(path)
      .set({ connection: 'Upgrade', upgrade, 'x-api-key': adminKey });

    expect([response.status, response.body]).toEqual([status, body]);
  });

  it.each([
    ['without a key', ''],
    ['of another version', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 12\r\n'],
  ])('%s is a plain request, with a response in JSON', async (_what, headers) => {
    const [response] = await exchange(
      server.url,
      `GET /graphql HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}` +
        'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );

    expect(response).toMatchObject({ status: 400, headers: { 'x-request-id': expect.any(String) } });
    expect(JSON.parse(response?.body ?? '')).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });

  it('keeps the body of its request', async () => {
    const { status, body } = await server
      .rest('post', '/api/academics/programs')
      .set({ connection: 'Upgrade', upgrade: 'h2c' })
      .send({ name: 'Sound', duration: '1 Year' });

    expect([status, body]).toEqual([201, { id: expect.any(Number), name: 'Sound', duration: '1 Year' }]);
  });
});
