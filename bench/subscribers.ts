import { connect, type Socket } from 'node:net';
import { Client } from 'pg';
import type { BenchDatabase } from './database.ts';
import { median } from './median.ts';
import { adminKey, type ServerProcess, startService } from './processes.ts';

const subscribers = 10_000;
/** So many connect at a time. */
const pipelinedPool = 40;
const changes = 5;
const body = JSON.stringify({ query: 'subscription { catalogChanged { id action program { name } } }' });

/** What ten thousand who follow the catalog cost. */
export interface Following {
  readonly subscribers: number;
  readonly connectedSeconds: number;
  readonly kilobytesBefore: number;
  readonly kilobytesEach: number;
  /** From the answer to a change until the first of them has been told, and the last. */
  readonly firstToldMs: number;
  readonly lastToldMs: number;
  readonly listeningConnections: number;
  /** From the signal until the process has ended. */
  readonly stoppedMs: number;
}

/** Connects ten thousand subscribers to one service, tells them of changes, and stops it. They need as many open files. */
export async function measureSubscribers(database: BenchDatabase, say: (text: string) => void): Promise<Following> {
  const databaseUrl = await database.fill(100);
  const service = await startService(databaseUrl);
  try {
    return await measure(service, databaseUrl, say);
  } catch (problem) {
    await service.stop();
    throw problem;
  }
}

async function measure(service: ServerProcess, databaseUrl: string, say: (text: string) => void): Promise<Following> {
  const first = await subscribe(service.url);
  await tellOf(service, [first]);
  first.destroy();
  const before = await service.memory();
  say(`Connecting ${subscribers.toLocaleString('en')} subscribers`);
  const began = performance.now();
  const all = await subscribeAll(service.url);
  const connectedSeconds = (performance.now() - began) / 1_000;
  const each = ((await service.memory()) - before) / subscribers;
  const told: { first: number; last: number }[] = [];
  for (let count = 0; count < changes; count += 1) told.push(await tellOf(service, all));
  const listeningConnections = await countListening(databaseUrl);
  const stopping = performance.now();
  await service.stop();
  return {
    subscribers,
    connectedSeconds: Math.round(connectedSeconds),
    kilobytesBefore: Math.round(before / 1_024),
    kilobytesEach: Math.round(each / 1_024),
    firstToldMs: Math.round(median(told.map(({ first }) => first))),
    lastToldMs: Math.round(median(told.map(({ last }) => last))),
    listeningConnections,
    stoppedMs: Math.round(performance.now() - stopping),
  };
}

async function subscribeAll(url: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const lane = async (): Promise<void> => {
    for (let count = 0; count < subscribers / pipelinedPool; count += 1) sockets.push(await subscribe(url));
  };
  await Promise.all(Array.from({ length: pipelinedPool }, lane));
  return sockets;
}

/** Subscribes without a client's own weight: a socket, and what it receives. */
function subscribe(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const request = [
    'POST /graphql HTTP/1.1',
    `Host: ${hostname}`,
    `x-api-key: ${adminKey}`,
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

/** Creates a program, and waits until all subscribers have been told. */
async function tellOf({ url }: ServerProcess, sockets: readonly Socket[]): Promise<{ first: number; last: number }> {
  let first: number | undefined;
  const told = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        const look = (bytes: Buffer): void => {
          if (!bytes.includes('event: next')) return;
          first ??= performance.now();
          socket.off('data', look);
          resolve();
        };
        socket.on('data', look);
      }),
  );
  const answer = await fetch(`${url}/v1/api/academics/programs`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A new program', duration: '4 Years' }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  const answered = performance.now();
  await Promise.all(told);
  return { first: Math.max((first ?? answered) - answered, 0), last: performance.now() - answered };
}

async function countListening(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '% changes'`,
  );
  await client.end();
  return rows[0]?.count ?? 0;
}
