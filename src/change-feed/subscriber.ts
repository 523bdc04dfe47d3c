import type { CatalogEvent } from './catalog-event.ts';
import type { ReplayBuffer } from './replay-buffer.ts';

/** Someone who follows the catalog: no more than a place in the log. */
export interface Subscriber extends AsyncIterableIterator<CatalogEvent> {
  /** Looks for what is new. */
  wake(): void;
  /** Ends: with an error, when one is given, as a connection that breaks. */
  end(problem?: Error): void;
}

/** Events that were read from the log for someone who is behind. */
export interface Page {
  readonly events: readonly CatalogEvent[];
  /** The place of those to whom all of them have been told. */
  readonly place: string;
  /** The number of the recent entry that comes next, when nothing else is between. */
  readonly next: number | undefined;
}

interface SubscriberOptions {
  /** The program to follow; all when it is not given. */
  readonly programId: number | null | undefined;
  /** Where to begin: at a place, and with a recent entry when it is known which one comes next. */
  readonly start: Pick<Page, 'place' | 'next'>;
  readonly recent: ReplayBuffer;
  /** Reads what comes after a place that is no longer among the recent ones. */
  readonly readBehind: (place: string) => Promise<Page>;
  /** Called once, when it has ended. */
  readonly onEnd: () => void;
}

/** Makes a follower. It reads at its own pace; whoever is slow holds up nobody and fills no memory. */
export function createSubscriber({ programId, start, recent, readBehind, onEnd }: SubscriberOptions): Subscriber {
  let { place, next: number } = start;
  /** How many events of the recent entry have been told. */
  let told = 0;
  /** What is left of a page, the last first. */
  let left: CatalogEvent[] = [];
  let afterPage: (() => void) | undefined;
  let wake = (): void => undefined;
  let over = false;
  let reason: Error | undefined;

  const end = (problem?: Error): void => {
    if (over) return;
    over = true;
    reason = problem;
    onEnd();
    wake();
  };

  /** The next event; `undefined` when it is to be asked again. */
  const step = async (): Promise<CatalogEvent | undefined> => {
    const event = left.pop();
    if (event !== undefined) return event;
    afterPage?.();
    afterPage = undefined;
    if (number !== undefined && recent.covers(number)) return fromRecent(number);
    const page = await readBehind(place);
    left = page.events.toReversed();
    told = 0;
    number = undefined;
    afterPage = () => {
      place = page.place;
      number = page.next;
    };
    return undefined;
  };

  const fromRecent = async (current: number): Promise<CatalogEvent | undefined> => {
    const entry = recent.get(current);
    if (entry === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      return undefined;
    }
    const event = entry[told];
    told += 1;
    if (event !== undefined) return event;
    number = current + 1;
    told = 0;
    return undefined;
  };

  const next = async (): Promise<IteratorResult<CatalogEvent>> => {
    while (!over) {
      const event = await step();
      if (event === undefined) continue;
      place = event.id;
      if (!over && matches(event, programId)) return { done: false, value: event };
    }
    const problem = reason;
    reason = undefined;
    if (problem) throw problem;
    return { done: true, value: undefined };
  };

  return {
    wake: () => wake(),
    end,
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

function matches({ programs }: CatalogEvent, programId: number | null | undefined): boolean {
  return typeof programId !== 'number' || programs === null || programs.includes(programId);
}
