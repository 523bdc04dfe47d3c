import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AdmissionControl, createAdmissionControl } from '../../src/http/admission.ts';

/** So many are worked on at a time, and so many wait. */
const busyLeast = 20;
const insideMax = 50;
const waitingMax = 1_000;

const overloaded = {
  code: 'UNAVAILABLE',
  message: 'The service is overloaded. Please try again.',
  retryAfterSeconds: 1,
};

let lateMs: number;
let admission: AdmissionControl;

beforeEach(() => {
  vi.useFakeTimers();
  lateMs = 0;
  admission = createAdmissionControl({ delayMs: () => lateMs });
});
afterEach(() => {
  vi.useRealTimers();
});

const request = () => new ServerResponse(new IncomingMessage(new Socket()));

/** What Node does when an answer is sent or its client is gone. */
function end(response: ServerResponse): void {
  response.destroyed = true;
  response.emit('close');
}

/** Lets so many in, or has them wait. */
function send(count: number): { readonly responses: ServerResponse[]; readonly entered: Promise<void>[] } {
  const responses = Array.from({ length: count }, request);
  const entered = responses.map((response) => admission.acquire(response));
  for (const promise of entered) promise.catch(() => undefined);
  return { responses, entered };
}

const isSettled = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise.then(() => 'settled'), Promise.resolve('pending')])) === 'settled';

describe('the gate', () => {
  it('lets a bounded number in, and the next when one leaves, first come, first served', async () => {
    const inside = send(insideMax);
    await Promise.all(inside.entered);
    const [first, second] = send(2).entered;

    end(inside.responses[7] ?? request());

    await first;
    expect(await isSettled(second ?? Promise.resolve())).toBe(false);
  });

  it('sends away who has waited for a second', async () => {
    send(insideMax);
    const [late] = send(1).entered;

    vi.advanceTimersByTime(1_000);

    await expect(late).rejects.toMatchObject(overloaded);
  });

  it('sends away at once who would have too many before them', async () => {
    send(insideMax + waitingMax);

    await expect(admission.acquire(request())).rejects.toMatchObject(overloaded);
  });

  it('keeps no place for who has gone, inside or waiting', async () => {
    const gone = send(insideMax + waitingMax);
    for (const response of gone.responses) end(response);

    await Promise.all(send(insideMax).entered);
  });

  it('counts nobody who is gone before they enter', async () => {
    for (const _ of Array.from({ length: 2 * insideMax })) {
      const response = request();
      end(response);
      await admission.acquire(response);
    }
    await Promise.all(send(insideMax).entered);
  });

  it('gives the place of who waits for a body to others', async () => {
    const slow = send(insideMax);
    await Promise.all(slow.entered);
    for (const response of slow.responses) void admission.yieldWhile(response, () => new Promise(() => undefined));

    await Promise.all(send(insideMax).entered);
  });

  it('lets who comes back with a body wait like all others', async () => {
    const [response = request()] = send(1).responses;
    let read: (body: string) => void = () => undefined;
    const reading = admission.yieldWhile(
      response,
      () =>
        new Promise<string>((resolve) => {
          read = resolve;
        }),
    );
    const others = send(insideMax);
    read('the body');

    expect(await isSettled(reading)).toBe(false);
    end(others.responses[0] ?? request());
    expect(await reading).toBe('the body');
  });

  it('sends newcomers away while the event loop is late, unless few are inside', async () => {
    lateMs = 1_001;
    for (let inside = 0; inside < busyLeast; inside += 1) await admission.acquire(request());

    await expect(admission.acquire(request())).rejects.toMatchObject(overloaded);
  });

  it('lets nobody in once it is closed, and who waited goes on', async () => {
    const inside = send(insideMax);
    const [waiting] = send(1).entered;

    admission.close();

    await expect(admission.acquire(request())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The service is shutting down.',
      retryAfterSeconds: 1,
    });
    end(inside.responses[0] ?? request());
    await waiting;
  });
});
