import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { openSubscriptions, subscribe } from '../support/event-stream.ts';
import { within } from '../support/running-time.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const query = 'subscription { catalogChanged { cursor } }';

async function connect(key: string): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': key } }));
  await once(socket, 'message');
  return socket;
}

it('leaves subscriptions to other users when one has a thousand, with whichever keys', async () => {
  const [key, otherKey] = [
    await server.makeKey({ role: 'viewer', user: 'many' }),
    await server.makeKey({ role: 'viewer', user: 'many' }),
  ];
  const sockets: WebSocket[] = [];
  for (let open = 0; open < 1_000; open += 20) {
    if (open % 100 === 0) sockets.push(await connect(open % 200 === 0 ? key : otherKey));
    for (let id = open; id < open + 20; id += 1) {
      sockets.at(-1)?.send(JSON.stringify({ type: 'subscribe', id: String(id), payload: { query } }));
    }
    await within(10_000, async () => expect(await openSubscriptions(server)).toBe(open + 20));
  }

  const message = 'You have 1000 open subscriptions, which is the limit. Close some first.';
  const { body } = await server.graphql(query, {}, key).set('accept', 'text/event-stream, application/json');
  expect(body).toMatchObject({ errors: [{ message, extensions: { code: 'RATE_LIMITED' } }] });
  expect((await subscribe(server, query)).status).toBe(200);

  sockets[0]?.terminate();
  await within(10_000, async () => expect(await openSubscriptions(server)).toBeLessThan(1_000));
  const again = await subscribe(server, query, { key });
  expect(again.headers.get('content-type')).toBe('text/event-stream');
});
