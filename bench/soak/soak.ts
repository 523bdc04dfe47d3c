import { setMaxListeners } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServerProcess, startEmbeddedService } from '../processes.ts';
import { fileClients } from './files.ts';
import { hostileClients } from './hostile.ts';
import { type Acknowledged, keepRunning, lostOf, ordinaryClients, type Soak } from './ordinary.ts';
import { createRecord, type Sample } from './record.ts';
import { hostileSockets } from './sockets.ts';

const sampleEveryMs = 1_000;
const minuteMs = 60_000;
/** After all clients have left, their subscriptions are released within this time. */
const releasedWithinMs = 5_000;

/**
 * Runs ordinary and hostile clients side by side against the built service with its embedded PostgreSQL, and
 * reports every minute.
 *
 * @returns the faults: memory growth, a subscription that is never released, a slow response or a 500, an acknowledged
 *   create that was lost.
 */
export async function soak(minutes: number, say: (text: string) => void): Promise<readonly string[]> {
  const parent = await mkdtemp(join(tmpdir(), 'soak-'));
  // When run as root, PostgreSQL runs as another user, which needs access.
  await chmod(parent, 0o755);
  const dataDir = join(parent, 'data');
  const service = await startEmbeddedService(dataDir);
  try {
    return await run(service, minutes, say);
  } finally {
    await service.stop();
    const home = await realpath(join(dataDir, 'postgres')).catch(() => dataDir);
    for (const folder of [home, parent]) await rm(folder, { recursive: true, force: true });
  }
}

async function run(service: ServerProcess, minutes: number, say: (text: string) => void): Promise<readonly string[]> {
  const record = createRecord();
  const acknowledged: Acknowledged = new Map();
  const leave = new AbortController();
  // Every client adds a listener.
  setMaxListeners(0, leave.signal);
  const given: Soak = { url: service.url, record, signal: leave.signal };
  const clients = [...ordinaryClients(acknowledged), ...hostileClients, ...hostileSockets, ...fileClients];
  say(`${clients.length} kinds of clients for ${minutes} minutes at ${service.url}`);
  const running = Promise.all(clients.map((client) => keepRunning(client, given)));
  const began = performance.now();
  let minutesReported = 0;
  while (performance.now() - began < minutes * minuteMs) {
    await delay(sampleEveryMs);
    record.sample(await sampleOf(service));
    if (performance.now() - began < (minutesReported + 1) * minuteMs) continue;
    minutesReported += 1;
    say(record.line(minutesReported));
  }
  leave.abort();
  await running;
  await delay(releasedWithinMs);
  const { subscriptions } = await sampleOf(service);
  if (subscriptions !== 0) record.fault(`${subscriptions} subscriptions are open after all clients have left.`);
  const lost = await lostOf(service.url, acknowledged);
  if (lost.length > 0) record.fault(`${lost.length} of ${acknowledged.size} acknowledged creates are lost.`);
  say(`${acknowledged.size} creates were acknowledged.`);
  return record.faults();
}

async function sampleOf(service: ServerProcess): Promise<Sample> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    memoryBytes: await service.memory(),
    subscriptions: metric('graphql_active_subscriptions'),
    eventLoopDelayMs: metric('nodejs_eventloop_lag_max_seconds') * 1_000,
  };
}
