/*
 * A subscriber pulls events at its own pace, without a queue: a slow client neither delays others nor fills memory.
 * - live: the next event is in the shared replay buffer, or it waits for `wake`;
 * - behind: the buffer no longer covers its next entry, so it reads pages of the change log until the buffer does;
 * - ended: by the client, or by the feed, with or without an error.
 */
import type { Identified } from './events.ts';
import type { ReplayBuffer } from './replay-buffer.ts';

export interface Subscriber<Event> extends AsyncIterableIterator<Identified<Event>> {
  wake(): void;
  end(problem?: Error): void;
  /** Whether an event that was received may no longer be passed on. */
  isEnded(): boolean;
}

export interface EventPage<Event> {
  readonly events: readonly Identified<Event>[];
  readonly cursor: string;
  /** The number of the next entry of the replay buffer, if the page reaches up to it. */
  readonly next: number | undefined;
}

interface SubscriberOptions<Event> {
  readonly matches: (event: Event) => boolean;
  readonly start: Pick<EventPage<Event>, 'cursor' | 'next'>;
  readonly replayBuffer: ReplayBuffer<Identified<Event>>;
  readonly readBehind: (cursor: string) => Promise<EventPage<Event>>;
  readonly onEnd: () => void;
}

/** An iterator over the events that match: from the replay buffer, or from the log when it is behind. */
export function createSubscriber<Event>({
  matches,
  start,
  replayBuffer,
  readBehind,
  onEnd,
}: SubscriberOptions<Event>): Subscriber<Event> {
  let { cursor, next: number } = start;
  let delivered = 0;
  /** The remaining events of a page that match, in reverse order. */
  let pageEvents: Identified<Event>[] = [];
  let afterPage: (() => void) | undefined;
  let wake = (): void => undefined;
  let ended = false;
  let reason: Error | undefined;

  const end = (problem?: Error): void => {
    if (ended) return;
    ended = true;
    reason = problem;
    onEnd();
    wake();
  };

  /** The next event that matches; `undefined` when to try again. */
  const step = async (): Promise<Identified<Event> | undefined> => {
    const event = pageEvents.pop();
    if (event !== undefined) return event;
    afterPage?.();
    afterPage = undefined;
    if (number !== undefined && replayBuffer.covers(number)) return fromBuffer(number);
    const page = await readBehind(cursor);
    pageEvents = page.events.filter(matches).toReversed();
    delivered = 0;
    number = undefined;
    afterPage = () => {
      cursor = page.cursor;
      number = page.next;
    };
    return undefined;
  };

  const fromBuffer = async (current: number): Promise<Identified<Event> | undefined> => {
    const entry = replayBuffer.get(current);
    if (entry === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      return undefined;
    }
    // Those that concern others are passed over without a promise for each: thousands of subscribers do so at once.
    while (delivered < entry.length) {
      const event = entry[delivered];
      delivered += 1;
      if (event !== undefined && matches(event)) return event;
    }
    cursor = entry.at(-1)?.id ?? cursor;
    number = current + 1;
    delivered = 0;
    return undefined;
  };

  const next = async (): Promise<IteratorResult<Identified<Event>>> => {
    while (!ended) {
      const event = await step();
      if (event === undefined) continue;
      cursor = event.id;
      if (!ended) return { done: false, value: event };
    }
    const problem = reason;
    reason = undefined;
    if (problem) throw problem;
    return { done: true, value: undefined };
  };

  return {
    wake: () => wake(),
    end,
    isEnded: () => ended,
    next,
    return: async () => {
      end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
