import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { adminKey } from '../processes.ts';
import { type Client, graphql, programsPath, type Soak, statusOf } from './ordinary.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const createDocument = 'mutation Create($input: CreateProgramInput!) { createProgram(input: $input) { id } }';
const connectionDocument =
  'query Page($after: String) { programsConnection(first: 5, after: $after) { nodes { id } } }';
const subscription = JSON.stringify({ query: 'subscription { catalogChanged { cursor } }' });

const wide = () => Object.fromEntries(numbers(3_000).map((number) => [`field${number}`, number]));
const deep = (): unknown => numbers(5_000).reduce<unknown>((inner) => [inner], 1);
/** Each with a filter that nobody has asked for before, so that none is cached; together within the query cost. */
const manyCounts = () => {
  const count = (number: number): string =>
    `count${number}: programsConnection(first: 1, filter: { search: "${Math.random()}" }) { totalCount }`;
  return `{ ${numbers(8).map(count).join(' ')} }`;
};
const marks = () => `e${'\u0301'.repeat(30_000)}`;
const cursors = [`${'9'.repeat(70_000)}`, JSON.stringify(['x', '1'.repeat(20_000)]), '[[[[', '\u0000'].map((text) =>
  Buffer.from(text).toString('base64url'),
);

/** Hostile clients, at a bounded rate. Requests that they delay themselves are not timed. */
export const hostileClients: readonly Client[] = [
  requesting('wide variables', ({ url }) => graphql(url, createDocument, { input: wide() })),
  requesting('deep variables', ({ url }) => graphql(url, createDocument, { input: { name: deep(), duration: 'x' } })),
  requesting('long variables', ({ url }) => graphql(url, createDocument, { input: 'x'.repeat(90_000) })),
  requesting('forged cursors', ({ url }) =>
    graphql(url, connectionDocument, { after: cursors[Math.floor(Math.random() * cursors.length)] }),
  ),
  requesting('many counts', ({ url }) => graphql(url, manyCounts())),
  requesting('combining marks', ({ url }) => create(url, { name: marks(), duration: '4 Years' })),
  requesting('an oversized body', ({ url }) => create(url, { name: 'x'.repeat(300_000), duration: '4 Years' })),
  requesting('an invalid key', ({ url }) =>
    fetch(`${url}/v1/ping`, { headers: { 'x-api-key': `invalid-${Math.random()}` } }),
  ),
  { kind: 'a revoked key', pauseMs: 2_000, turn: useRevokedKey },
  { kind: 'aborted requests', pauseMs: 200, turn: abort },
  raw('slow headers', 100, async (socket) => {
    for (const letter of 'GET /v1/ping HTTP/1.1\r\nx-long: ') {
      socket.write(letter);
      await delay(50);
    }
  }),
  raw('half-sent bodies', 100, async (socket) => {
    socket.write(`${head('POST', programsPath, 'Content-Length: 100')}{"name": "half`);
    await delay(1_000);
  }),
  raw('subscriptions dropped at once', 100, async (socket) => {
    socket.write(head('POST', '/graphql', 'Accept: text/event-stream', `Content-Length: ${subscription.length}`));
    socket.write(subscription);
    await delay(20 * Math.random());
  }),
  raw('malformed HTTP', 100, async (socket) => {
    socket.write(['GARBAGE\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', '\u0000'.repeat(1_000)].at(Math.random() * 3) ?? '');
    await delay(100);
  }),
  raw('requests sent ahead', 500, async (socket) => {
    socket.write(head('GET', `${programsPath}/1`).repeat(60));
    await delay(50 * Math.random());
  }),
];

/** A client that waits for each response. */
function requesting(kind: string, send: (soak: Soak) => Promise<Response>): Client {
  return {
    kind,
    pauseMs: 500,
    turn: (soak) => soak.record.timed(kind, async () => statusOf(await send(soak))),
  };
}

/** A client with twenty raw sockets at a time, which it finally resets or closes. */
function raw(kind: string, pauseMs: number, misuse: (socket: Socket) => Promise<void>): Client {
  const one = async (url: string): Promise<void> => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).resume();
    await misuse(socket);
    if (Math.random() < 0.5) socket.resetAndDestroy();
    else socket.destroy();
  };
  return { kind, pauseMs, turn: ({ url }) => Promise.all(numbers(20).map(() => one(url))) };
}

function head(method: string, path: string, ...fields: string[]): string {
  const own = ['Host: localhost', `x-api-key: ${adminKey}`, 'Content-Type: application/json'];
  return [`${method} ${path} HTTP/1.1`, ...own, ...fields, '', ''].join('\r\n');
}

function create(url: string, program: object): Promise<Response> {
  return fetch(url + programsPath, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify(program),
  });
}

async function abort({ url }: Soak): Promise<void> {
  const query = '{ programs(size: 100) { items { id name branches { name years { code } } } } }';
  await Promise.allSettled(
    numbers(10).map((number) =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
        // Different variables, so that no response is cached.
        body: JSON.stringify({ query: query.replace('100', String(1 + number)), variables: { now: Math.random() } }),
        signal: AbortSignal.timeout(1 + Math.floor(10 * Math.random())),
      }),
    ),
  );
}

const createdKey = z.object({
  data: z.object({ createApiKey: z.object({ key: z.string(), apiKey: z.object({ id: z.int() }) }) }),
});
/** A revoked key stops working within this time. */
const revokedWithinMs = 1_000;

/** Creates a key, uses it, revokes it, and keeps using it. */
async function useRevokedKey({ url, record }: Soak): Promise<void> {
  const text = 'mutation { createApiKey(input: { userId: 1, name: "soak" }) { key apiKey { id } } }';
  const { key, apiKey } = createdKey.parse(await (await graphql(url, text)).json()).data.createApiKey;
  const use = (): Promise<number> =>
    record.timed('a revoked key', async () =>
      statusOf(await fetch(`${url}/v1/ping`, { headers: { 'x-api-key': key } })),
    );
  if ((await use()) !== 200) record.fault('A new key did not work.');
  await (await graphql(url, `mutation { revokeApiKey(id: ${apiKey.id}) { id } }`)).arrayBuffer();
  await delay(revokedWithinMs);
  const status = await use();
  if (status === 200) record.fault('A revoked key still worked after a second.');
}
