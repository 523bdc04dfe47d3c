import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createByteBudget } from '../../src/bodies/byte-budget.ts';
import { createJsonBodyReader } from '../../src/bodies/json-body.ts';
import { createAdmissionControl } from '../../src/limits/admission.ts';
import { useTinyServer } from '../support/tiny-server.ts';

/** Requests that have begun, and bodies that have been read: before the probe, and in all. */
const handled = { begun: 0, read: 0 };
let probes = 0;
let beforeProbe = { ...handled };
/** Before what another network sends. */
let beforeGuest = { ...handled, probes };
/** Another host, which many wait for. */
let answer: () => void = () => undefined;
const server = useTinyServer((app) => {
  const admission = createAdmissionControl({ delayMs: () => 0 });
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const readBody = createJsonBodyReader(1_000, createByteBudget(10_000_000));
  app.get('/probe', (request, response) => {
    beforeProbe = { ...handled };
    noteGuest(request);
    probes += 1;
    response.send('alive');
  });
  app.get('/guest', (request, response) => {
    noteGuest(request);
    response.send('welcome');
  });
  app.get('/', (_request, response) => {
    handled.begun += 1;
    response.send('hello');
  });
  app.get('/work', (_request, response) => {
    handled.begun += 1;
    const began = performance.now();
    while (performance.now() - began < 2);
    response.send('done');
  });
  app.get('/elsewhere', async (_request, response) => {
    await admission.acquire(response);
    handled.begun += 1;
    await admission.yieldWhile(response, () => answered);
    handled.read += 1;
    response.send('found');
  });
  app.post('/', async (request, response) => {
    if (!isOfGuest(request)) handled.begun += 1;
    await readBody(request, response);
    noteGuest(request);
    if (!isOfGuest(request)) handled.read += 1;
    response.send('read');
  });
});

/** Of another network. */
const guestAddress = '127.0.0.2';
const isOfGuest = ({ socket }: IncomingMessage): boolean => socket.remoteAddress?.endsWith(guestAddress) === true;
function noteGuest(request: IncomingMessage): void {
  if (isOfGuest(request)) beforeGuest = { ...handled, probes };
}
const count = 600;
/** A few turns of the event loop, in each of which 32 requests are handled. */
const fewTurns = 5 * 32;
const head = (line: string, ...fields: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: a', ...fields, '', ''].join('\r\n');
const read = head('GET /');
const probe = head('GET /probe');
const post = head('POST /', 'Content-Type: application/json', 'Content-Length: 10');

/** Sends the text as soon as it is connected, if there is one. */
function open(text?: string, localAddress?: string): Socket {
  const { hostname: host, port } = new URL(server.url);
  const address = { port: Number(port), host, ...(localAddress !== undefined && { localAddress }) };
  const socket = connect(address, () => text !== undefined && socket.write(text));
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const openMany = (text: string): Socket[] => Array.from({ length: count }, () => open(text));

/** Waits until so many requests have begun, or bodies been read, and counts anew. */
async function until(what: keyof typeof handled): Promise<void> {
  await expect.poll(() => handled[what], { timeout: 30_000 }).toBe(count);
  Object.assign(handled, { begun: 0, read: 0 });
}

it('a probe is answered before the requests of hundreds that have connected before it', async () => {
  openMany(read);
  await once(open(probe), 'data');

  expect(beforeProbe.begun).toBeLessThan(fewTurns);
  await until('begun');
});

// Other systems have one loopback address.
it.runIf(process.platform === 'linux')(
  'a probe from another network is answered before hundreds around it',
  async () => {
    const half = count / 2;
    for (let opened = 0; opened < half; opened += 1) open(read);
    const prober = open(probe, '127.0.0.2');
    for (let opened = 0; opened < half; opened += 1) open(read);
    await once(prober, 'data');

    expect(beforeProbe.begun).toBeLessThan(fewTurns);
    await until('begun');
  },
);

it('a probe on an open connection is answered before the requests of hundreds that arrived before it', async () => {
  const sockets = openMany(read);
  await until('begun');
  const prober = open(probe);
  await once(prober, 'data');
  for (const socket of sockets) socket.write(read);
  prober.write(probe);
  await once(prober, 'data');

  expect(beforeProbe.begun).toBeLessThan(fewTurns);
  await until('begun');
});

it.runIf(process.platform === 'linux').each([
  ['request', read, head('GET /guest'), () => handled.begun, () => beforeGuest.begun, count],
  ['probe', probe, probe, () => probes, () => beforeGuest.probes, count + 1],
])(
  'a %s from another network is answered before hundreds that arrived before it',
  async (_kind, sent, ofGuest, all, before, total) => {
    const sockets = openMany(read);
    await until('begun');
    const guest = open(probe, guestAddress);
    await once(guest, 'data');
    probes = 0;
    for (const socket of sockets) socket.write(sent);
    guest.write(ofGuest);
    await once(guest, 'data');

    await expect.poll(all, { timeout: 30_000 }).toBe(total);
    expect(before()).toBeLessThan(fewTurns);
    handled.begun = 0;
  },
);

it('a probe is answered before hundreds of bodies that end before it are handled', async () => {
  const sockets = openMany(post);
  await until('begun');
  const prober = open(probe);
  await once(prober, 'data');
  for (const socket of sockets) socket.write('{"name":1}');
  prober.write(probe);
  await once(prober, 'data');

  expect(beforeProbe.read).toBeLessThan(fewTurns);
  await until('read');
});

it('a probe is answered before hundreds that waited for the same answer of another host go on', async () => {
  openMany(head('GET /elsewhere'));
  await until('begun');
  const prober = open(probe);
  await once(prober, 'data');
  answer();
  prober.write(probe);
  await once(prober, 'data');

  expect(beforeProbe.read).toBeLessThan(fewTurns);
  await until('read');
});

it.runIf(process.platform === 'linux')(
  'a body from another network is read before hundreds that end before it are handled',
  async () => {
    const guest = open(post, guestAddress);
    const sockets = openMany(post);
    await until('begun');
    for (const socket of sockets) socket.write('{"name":1}');
    guest.write('{"name":1}');
    await once(guest, 'data');

    expect(beforeGuest.read).toBeLessThan(fewTurns);
    await until('read');
  },
);

it('a probe is answered before the pipelined ones of many connections', async () => {
  const sockets = Array.from({ length: 100 }, () => open(probe));
  const prober = open(probe);
  await Promise.all([...sockets, prober].map((socket) => once(socket, 'data')));
  probes = 0;
  for (const socket of sockets) socket.write(probe.repeat(60));
  prober.write(probe);
  await once(prober, 'data');

  // One of each connection, and those of a few turns.
  expect(probes).toBeLessThan(sockets.length + fewTurns);
  await expect.poll(() => probes, { timeout: 30_000 }).toBe(60 * sockets.length + 1);
});

it('a probe behind hundreds of connections is answered before open ones have been served for as many turns', async () => {
  const busy = Array.from({ length: 2 * 32 }, () => open(head('GET /work')));
  const sendNext = (socket: Socket) => socket.on('data', () => socket.write(head('GET /work')));
  await Promise.all(busy.map((socket) => once(sendNext(socket), 'data')));
  for (let opened = 0; opened < count; opened += 1) open();
  handled.begun = 0;
  await once(open(probe), 'data');

  expect(beforeProbe.begun).toBeLessThan(count);
  for (const socket of busy) socket.destroy();
});
