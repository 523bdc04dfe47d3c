import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { restingTurn } from '../../src/limits/resting-turns.ts';
import { useTinyServer } from '../support/tiny-server.ts';

const server = useTinyServer((app) => {
  app.get('/probe', (_request, response) => response.send('alive'));
});

const count = 600;

function open(): ReturnType<typeof connect> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

it('a probe behind hundreds of connections is answered after a few turns of long work, not after hundreds', async () => {
  for (let opened = 0; opened < count; opened += 1) open();
  const prober = open();
  prober.write('GET /probe HTTP/1.1\r\nHost: a\r\n\r\n');
  let isAnswered = false;
  const answer = once(prober, 'data').then(() => {
    isAnswered = true;
  });
  let turns = 0;
  for (; !isAnswered; turns += 1) {
    const began = process.cpuUsage().user;
    while (process.cpuUsage().user - began < 5_000);
    await restingTurn();
  }
  await answer;

  expect(turns).toBeLessThan(count / 10);
});

it('long work goes on while connections keep coming', async () => {
  let isDone = false;
  const keepOpening = (): void => {
    if (isDone) return;
    open().once('connect', keepOpening);
  };
  for (let first = 0; first < 10; first += 1) keepOpening();
  for (let turns = 0; turns < 5; turns += 1) await restingTurn();
  isDone = true;
});
