import { expectNotBlocked } from '@service/telemetry/testing/event-loop';
import { expect, it } from 'vitest';
import type { Identified } from '../src/events.ts';
import { createReplayBuffer } from '../src/replay-buffer.ts';
import { createSubscriber } from '../src/subscriber.ts';

type Event = Identified<{ readonly owner: number }>;

it('a thousand subscribers pass over the events of a large transaction that concern others, and get their own', async () => {
  await expectNotBlocked(100, async () => {
    const replayBuffer = createReplayBuffer<Event>();
    const subscribers = Array.from({ length: 1_000 }, () =>
      createSubscriber<Event>({
        matches: ({ owner }) => owner === 0,
        start: { cursor: '', next: 0 },
        replayBuffer,
        readBehind: () => Promise.reject(new Error('The buffer has all events.')),
        onEnd: () => undefined,
      }),
    );
    const next = Promise.all(subscribers.map((subscriber) => subscriber.next()));
    replayBuffer.add([Array.from({ length: 1_000 }, (_, index) => ({ id: String(index), owner: index % 999 }))]);
    for (const subscriber of subscribers) subscriber.wake();
    expect((await next).every(({ value }) => value.id === '0')).toBe(true);
    const last = await Promise.all(subscribers.map((subscriber) => subscriber.next()));
    expect(last.every(({ value }) => value.id === '999')).toBe(true);
  });
});
