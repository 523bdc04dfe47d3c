import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPacedWriter, type MinimumPace, TooSlow } from '../../src/academics/import-export/http/download.ts';

/** A response of which the client has read nothing yet. */
async function open(): Promise<{ readonly response: ServerResponse; readonly received: IncomingMessage }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1' });
  client.end();
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  response.flushHeaders();
  const [received] = (await once(client, 'response')) as [IncomingMessage];
  received.on('error', () => undefined);
  onTestFinished(() => {
    client.destroy();
    server.close();
    server.closeAllConnections();
  });
  return { response, received };
}

const part = Buffer.alloc(100_000);

/** Writes until the pace is missed, at most so many parts; returns how many were written. */
async function writeTo(response: ServerResponse, pace: MinimumPace, partsMax: number): Promise<number> {
  const write = createPacedWriter(response, pace);
  for (let count = 0; count < partsMax; count += 1) {
    try {
      await write(part, new AbortController().signal);
    } catch (problem) {
      expect(problem).toBeInstanceOf(TooSlow);
      return count;
    }
  }
  return partsMax;
}

describe('a minimum pace', () => {
  it('is missed by a reader that reads nothing', async () => {
    const { response } = await open();
    expect(await writeTo(response, { behindMaxMs: 200, bytesPerSecondMin: 1_000_000 }, 2_000)).toBeLessThan(2_000);
  });

  it('is missed by a reader that dribbles, however often it reads', async () => {
    const { response, received } = await open();
    let isReading = true;
    onTestFinished(() => {
      isReading = false;
    });
    void (async () => {
      while (isReading) {
        received.read(Math.min(16_384, received.readableLength));
        await delay(2);
      }
    })();
    // At most 8 MB a second, of 100 that are wanted.
    const pace = { behindMaxMs: 300, bytesPerSecondMin: 100_000_000 };
    expect(await writeTo(response, pace, 2_000)).toBeLessThan(2_000);
  });

  it('is kept by a reader that pauses for less than it may fall behind, again and again', async () => {
    const { response, received } = await open();
    received.resume();
    const pausing = setInterval(() => {
      received.pause();
      setTimeout(() => received.resume(), 20);
    }, 50);
    onTestFinished(() => clearInterval(pausing));
    expect(await writeTo(response, { behindMaxMs: 10_000, bytesPerSecondMin: 50_000 }, 500)).toBe(500);
  });

  it('ends with the reason of a signal', async () => {
    const { response } = await open();
    const controller = new AbortController();
    const write = createPacedWriter(response);
    const writing = (async () => {
      for (;;) await write(part, controller.signal);
    })();
    controller.abort(new Error('The client has left.'));
    await expect(writing).rejects.toThrow('The client has left.');
  });
});
