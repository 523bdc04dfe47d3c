import { connect, type Socket } from 'node:net';
import { z } from 'zod';
import type { BenchDatabase } from './database.ts';
import { median } from './median.ts';
import { adminKey, type ServerProcess, startService } from './processes.ts';

const subscribers = 10_000;
/** Of one user; the service has a limit. */
const subscribersOfUser = 1_000;
/** Concurrent connection attempts. */
const concurrency = 40;
const changes = 5;
const body = JSON.stringify({ query: 'subscription { catalogChanged { cursor action program { name } } }' });

/** The cost of ten thousand subscribers. */
export interface SubscriberCost {
  readonly subscribers: number;
  readonly connectedSeconds: number;
  readonly kilobytesEach: number;
  /** From the response to a write until the first and the last subscriber have received the change. */
  readonly firstNotifiedMs: number;
  readonly lastNotifiedMs: number;
}

/** Connects ten thousand subscribers to one service, and sends changes. Needs as many file descriptors. */
export async function measureSubscribers(
  database: BenchDatabase,
  say: (text: string) => void,
): Promise<SubscriberCost> {
  const service = await startService(await database.fill(100));
  try {
    return await measure(service, say);
  } finally {
    await service.stop();
  }
}

async function measure(service: ServerProcess, say: (text: string) => void): Promise<SubscriberCost> {
  const keys = await makeKeys(service.url);
  const first = await subscribe(service.url, adminKey);
  await notifyAll(service, [first]);
  first.destroy();
  const before = await service.memory();
  say(`Connecting ${subscribers.toLocaleString('en')} subscribers`);
  const began = performance.now();
  const all = await subscribeAll(service.url, keys);
  const connectedSeconds = (performance.now() - began) / 1_000;
  const each = ((await service.memory()) - before) / subscribers;
  const notified: { first: number; last: number }[] = [];
  for (let count = 0; count < changes; count += 1) notified.push(await notifyAll(service, all));
  return {
    subscribers,
    connectedSeconds: Math.round(connectedSeconds),
    kilobytesEach: Math.round(each / 1_024),
    firstNotifiedMs: Math.round(median(notified.map(({ first }) => first))),
    lastNotifiedMs: Math.round(median(notified.map(({ last }) => last))),
  };
}

async function subscribeAll(url: string, keys: readonly string[]): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const connectSome = async (): Promise<void> => {
    for (let count = 0; count < subscribers / concurrency; count += 1) {
      sockets.push(await subscribe(url, keys[count % keys.length] ?? ''));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, connectSome));
  return sockets;
}

const created = z.object({
  data: z.object({
    createUser: z.optional(z.object({ id: z.int() })),
    createApiKey: z.optional(z.object({ key: z.string() })),
  }),
});

async function mutate(url: string, field: string): Promise<z.infer<typeof created>['data']> {
  const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ query: `mutation { ${field} }` });
  return created.parse(await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json()).data;
}

/** A key for each user. */
function makeKeys(url: string): Promise<string[]> {
  const users = Array.from({ length: subscribers / subscribersOfUser }, (_, index) => `subscriber ${index}`);
  return Promise.all(
    users.map(async (user) => {
      const { createUser } = await mutate(url, `createUser(input: { name: "${user}", role: VIEWER }) { id }`);
      const { createApiKey } = await mutate(url, `createApiKey(input: { userId: ${createUser?.id} }) { key }`);
      return createApiKey?.key ?? '';
    }),
  );
}

/** Subscribes over a raw socket, to keep the client cheap. */
function subscribe(url: string, key: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const request = [
    'POST /graphql HTTP/1.1',
    `Host: ${hostname}`,
    `x-api-key: ${key}`,
    'Content-Type: application/json',
    'Accept: text/event-stream',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('error', reject);
    socket.once('data', (head) => {
      if (head.toString().startsWith('HTTP/1.1 200')) resolve(socket);
      else reject(new Error(head.toString()));
    });
  });
}

/** Creates a program and waits until all subscribers have received it. */
async function notifyAll({ url }: ServerProcess, sockets: readonly Socket[]): Promise<{ first: number; last: number }> {
  let first: number | undefined;
  const notified = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        const onData = (bytes: Buffer): void => {
          if (!bytes.includes('event: next')) return;
          first ??= performance.now();
          socket.off('data', onData);
          resolve();
        };
        socket.on('data', onData);
      }),
  );
  const response = await fetch(`${url}/v1/api/academics/programs`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A new program', duration: '4 Years' }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  const respondedAt = performance.now();
  await Promise.all(notified);
  return { first: Math.max((first ?? respondedAt) - respondedAt, 0), last: performance.now() - respondedAt };
}
