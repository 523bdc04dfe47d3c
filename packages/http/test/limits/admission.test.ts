import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AdmissionControl, createAdmissionControl } from '../../src/limits/admission.ts';

/** The limits of `src/limits/admission.ts`. */
const busyMin = 20;
const concurrentMax = 50;
const queuedMax = 1_000;
const concurrentOfOwnerMax = 40;
const queuedOfOwnerMax = queuedMax / 2;

const overloaded = {
  code: 'UNAVAILABLE',
  message: 'The service is overloaded. Please try again.',
  retryAfterSeconds: 1,
};

let loopDelayMs: number;
let admission: AdmissionControl;

beforeEach(() => {
  vi.useFakeTimers();
  loopDelayMs = 0;
  admission = createAdmissionControl({ delayMs: () => loopDelayMs });
});
afterEach(() => {
  vi.useRealTimers();
});

const request = () => new ServerResponse(new IncomingMessage(new Socket()));

/** Does what Node does when a response is sent or its client disconnects. */
function end(response: ServerResponse): void {
  response.destroyed = true;
  response.emit('close');
}

/** Requests that many slots. */
function send(count: number): { readonly responses: ServerResponse[]; readonly admitted: Promise<void>[] } {
  const responses = Array.from({ length: count }, request);
  const admitted = responses.map((response) => admission.acquire(response));
  for (const promise of admitted) promise.catch(() => undefined);
  return { responses, admitted };
}

/** Whether it is settled once everything that is ready has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  await vi.advanceTimersByTimeAsync(0);
  return settled;
}

describe('admission control', () => {
  it('admits at most 50 requests, and the first of the queue when one ends', async () => {
    const inside = send(concurrentMax);
    await Promise.all(inside.admitted);
    const [first, second] = send(2).admitted;

    end(inside.responses[7] ?? request());

    await first;
    expect(await isSettled(second ?? Promise.resolve())).toBe(false);
  });

  it('rejects a request that has been queued for 700 ms', async () => {
    send(concurrentMax);
    const [late] = send(1).admitted;

    vi.advanceTimersByTime(699);
    expect(await isSettled(late ?? Promise.resolve())).toBe(false);
    vi.advanceTimersByTime(1);

    await expect(late).rejects.toMatchObject(overloaded);
  });

  it('rejects a request at once when the queue is full', async () => {
    send(concurrentMax + queuedMax);

    await expect(admission.acquire(request())).rejects.toMatchObject(overloaded);
  });

  it('frees the slots and queue places of clients that disconnect', async () => {
    const disconnected = send(concurrentMax + queuedMax);
    for (const response of disconnected.responses) end(response);

    await Promise.all(send(concurrentMax).admitted);
  });

  it('gives no slot to a request whose client is already gone', async () => {
    for (const _ of Array.from({ length: 2 * concurrentMax })) {
      const response = request();
      end(response);
      await admission.acquire(response);
    }
    await Promise.all(send(concurrentMax).admitted);
  });

  it('frees the slot of a request while it reads a body', async () => {
    const slow = send(concurrentMax);
    await Promise.all(slow.admitted);
    for (const response of slow.responses) void admission.yieldWhile(response, () => new Promise(() => undefined));

    await Promise.all(send(concurrentMax).admitted);
  });

  it('queues a request again once its body is read', async () => {
    const [response = request()] = send(1).responses;
    let read: (body: string) => void = () => undefined;
    const reading = admission.yieldWhile(
      response,
      () =>
        new Promise<string>((resolve) => {
          read = resolve;
        }),
    );
    const others = send(concurrentMax);
    read('the body');

    expect(await isSettled(reading)).toBe(false);
    end(others.responses[0] ?? request());
    expect(await reading).toBe('the body');
  });

  describe('of requests whose owners are known', () => {
    const of = async (owner: string, count: number) => {
      const { responses, admitted } = send(count);
      await Promise.all(admitted);
      const assigned = responses.map((response) => admission.assign(response, owner));
      for (const promise of assigned) promise.catch(() => undefined);
      return { responses, assigned };
    };
    const isFull = (owner: string) => !admission.tryAcquire(request(), owner);

    it('leaves slots and places of the queue to others, however many requests an owner has', async () => {
      const inside = await of('a', concurrentOfOwnerMax);
      await Promise.all(inside.assigned);
      expect(isFull('a')).toBe(true);
      const [first, second, ...queued] = (await of('a', concurrentMax - concurrentOfOwnerMax)).assigned;
      for (let more = queued.length + 2; more < queuedOfOwnerMax; more += 10) await of('a', 10);
      const [rejected] = (await of('a', 1)).assigned;
      await expect(rejected).rejects.toMatchObject(overloaded);

      const others = await of('b', 5);
      await Promise.all(others.assigned);
      end(inside.responses[0] ?? request());
      expect(await isSettled(first ?? Promise.resolve())).toBe(false);
      for (const response of others.responses) end(response);
      await first;
      expect(await isSettled(second ?? Promise.resolve())).toBe(false);
    });

    it.each([2, 5, 12])(
      'leaves slots and places to another beside %i owners with any number of them',
      async (count) => {
        for (let round = 0; round < queuedMax; round += 1) await of(`owner ${round % count}`, 1);
        for (let owner = 0; owner < count; owner += 1) expect(isFull(`owner ${owner}`)).toBe(true);

        expect(isFull('another')).toBe(false);
        for (let other = 0; !isFull(`other ${other}`); other += 1);
        expect(await isSettled(admission.acquire(request()))).toBe(false);
      },
    );
  });

  it('keeps the slot of a client that disconnects until its work has ended', async () => {
    const disconnected = send(concurrentMax);
    await Promise.all(disconnected.admitted);
    const releases = disconnected.responses.map((response) => admission.hold(response));
    for (const response of disconnected.responses) end(response);
    const waiting = send(concurrentMax);

    expect(await isSettled(waiting.admitted[0] ?? Promise.resolve())).toBe(false);
    for (const release of releases) release();
    await Promise.all(waiting.admitted);
  });

  it('gives the slots of responses that wait for their clients to others, up to 64 MB of them', async () => {
    const slow = send(concurrentMax);
    await Promise.all(slow.admitted);
    const large = Buffer.alloc(2_000_000);
    for (const response of slow.responses) response.end(large);

    const others = send(31);
    await Promise.all(others.admitted);
    const [next] = send(1).admitted;
    expect(await isSettled(next ?? Promise.resolve())).toBe(false);
    end(slow.responses[0] ?? request());
    send(1);
    await next;
  });

  it('disconnects clients that take over 10 seconds to read what cannot be buffered, when others wait', async () => {
    const slow = send(concurrentMax);
    await Promise.all(slow.admitted);
    const large = Buffer.alloc(65_000_000);
    for (const response of slow.responses) response.end(large);
    vi.advanceTimersByTime(10_000);
    send(1);
    expect(slow.responses.some(({ destroyed }) => destroyed)).toBe(false);

    vi.advanceTimersByTime(1);
    send(1);
    expect(slow.responses.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('does not count a request as read slowly while it works', async () => {
    const working = send(concurrentMax);
    await Promise.all(working.admitted);
    for (const response of working.responses) {
      admission.hold(response);
      response.writeHead(200);
    }
    vi.advanceTimersByTime(20_000);

    const [next] = send(1).admitted;
    expect(await isSettled(next ?? Promise.resolve())).toBe(false);
    expect(working.responses.some(({ destroyed }) => destroyed)).toBe(false);
  });

  it('rejects new requests while the event loop is delayed by over a second, unless fewer than 20 are in flight', async () => {
    loopDelayMs = 1_001;
    for (let inside = 0; inside < busyMin; inside += 1) await admission.acquire(request());

    await expect(admission.acquire(request())).rejects.toMatchObject(overloaded);
  });

  it('rejects new requests once it is closed, and still admits queued ones', async () => {
    const inside = send(concurrentMax);
    const [waiting] = send(1).admitted;

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
