import { once } from 'node:events';
import { type Client, createClient } from 'graphql-ws';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { openSubscriptions } from '../support/event-stream.ts';
import { within } from '../support/running-time.ts';
import { adminKey, startTestServer, type TestServer, useSharedServer } from '../support/server.ts';

const server = useSharedServer();
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

  it.each([{ type: 'ping' }, { type: 'subscribe', id: '1', payload: { query: '{ ping { status } }' } }])(
    'closes when $type comes before the key',
    async (message) => {
      const socket = new WebSocket(addressOf(server), 'graphql-transport-ws');
      onTestFinished(() => socket.terminate());
      await once(socket, 'open');
      const closed = once(socket, 'close');
      socket.send(JSON.stringify(message));
      const [code, reason] = await closed;
      expect([code, String(reason)]).toEqual([4401, 'Unauthorized']);
    },
  );

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

  it('makes clients reconnect when the service stops, and does not wait for idle ones', async () => {
    const other = await startTestServer();
    const { client, closed } = connect({ 'x-api-key': adminKey }, other);
    await client.iterate({ query: '{ ping { status } }' }).next();
    const idle = new WebSocket(addressOf(other), 'graphql-transport-ws');
    await once(idle, 'open');
    await other.close();

    expect([1001, 1012]).toContain((await closed).code);
  });
});

it('the EventSource of a browser, which cannot send a key, gets a hint at what can', async () => {
  const headers = { accept: 'text/event-stream', 'sec-fetch-mode': 'cors' };
  const response = await fetch(`${server.url}/graphql`, { headers });
  const hint = 'EventSource cannot send a key: use fetch, graphql-sse or graphql-ws (/docs/recipes).';
  const extensions = { code: 'API_KEY_MISSING', hint };
  expect(await response.json()).toEqual({ errors: [{ message: 'API key is missing.', extensions }] });
});
