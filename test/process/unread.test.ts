import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { databaseForTest } from '../support/database.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { within } from '../support/running-time.ts';
import { adminKey } from '../support/server.ts';

// A process takes seconds to start, and an unread connection ten to be closed.
const sentMax = 100_000_000;
const growthMax = 60_000_000;
const large = 'x'.repeat(95_000);
const init = { type: 'connection_init', payload: { 'x-api-key': adminKey } };
const subscription = 'subscription { catalogChanged { cursor } }';

interface Flooded {
  readonly growth: number;
  readonly stderr: string;
}

async function residentBytes(pid: number | undefined): Promise<number> {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

/** Sends up to 100 MB of messages on a WebSocket without reading anything, and waits until it `isClosed`, if so. */
async function flood(
  { child, url, stderr }: ServiceProcess,
  before: readonly object[],
  message: (index: number) => object,
  isClosed: boolean,
): Promise<Flooded> {
  const socket = new WebSocket(`${(await url).replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  onTestFinished(() => socket.terminate());
  let closed = false;
  socket
    .on('error', () => undefined)
    .once('close', () => {
      closed = true;
    });
  await once(socket, 'open');
  for (const sent of before) socket.send(JSON.stringify(sent));
  if (before.length > 0) await once(socket, 'message');
  const resting = await residentBytes(child.pid);
  socket.pause();
  let largest = resting;
  for (let sent = 0; sent < sentMax && !closed; sent += large.length) {
    const text = JSON.stringify(message(sent));
    await Promise.race([new Promise((resolve) => socket.send(text, resolve)), once(socket, 'close'), delay(30_000)]);
    if (sent % (50 * large.length) === 0) largest = Math.max(largest, await residentBytes(child.pid));
  }
  largest = Math.max(largest, await residentBytes(child.pid));
  await within(40_000, () => {
    socket.send('');
    if (isClosed) expect(closed).toBe(true);
  });
  return { growth: largest - resting, stderr: stderr() };
}

it('a WebSocket whose client reads nothing takes no memory: its pings are not returned, and it is closed for its errors', async () => {
  const database = await databaseForTest();
  const service = startProcess({ DATABASE_URL: database.url });
  const ping = () => ({ type: 'ping', payload: { large } });
  const subscribe = (id: string) => ({ type: 'subscribe', id, payload: { query: subscription } });

  const beforeItsCredential = await flood(service, [], ping, true);
  const afterwards = await flood(service, [init], ping, false);
  // A hundred subscriptions, and then ids that are too long.
  const errors = await flood(
    service,
    [init],
    (sent) => subscribe(sent / large.length < 100 ? String(sent) : `${sent}${large}`),
    true,
  );

  for (const { growth, stderr } of [beforeItsCredential, afterwards, errors]) {
    expect(growth).toBeLessThan(growthMax);
    expect(stderr).toBe('');
  }
});
