import type { LogExtent } from '../database/catalog-log.ts';
import { type CatalogEvent, reload } from './catalog-event.ts';
import { idOf, type Place } from './place.ts';
import type { Recent, Told } from './recent.ts';

/** Someone who follows the catalog: no more than a place in the log. */
export interface Follower extends AsyncIterableIterator<CatalogEvent> {
  /** Looks for what is new. */
  wake(): void;
  /** Ends: with an error, when one is given, as a connection that breaks. */
  end(problem?: Error): void;
}

interface FollowerOptions {
  /** The program to follow; all when it is not given. */
  readonly programId: number | null | undefined;
  readonly start: Place;
  readonly recent: Recent;
  /** Reads entries behind a position that are no longer among the recent ones. */
  readonly readBehind: (position: number) => Promise<readonly Told[]>;
  readonly readExtent: () => Promise<LogExtent>;
  /** Called once, when it has ended. */
  readonly onEnd: () => void;
}

/** Makes a follower. It reads at its own pace; whoever is slow holds up nobody and fills no memory. */
export function createFollower(options: FollowerOptions): Follower {
  const { programId, recent, readBehind, readExtent, onEnd } = options;
  let place = options.start;
  let page: readonly Told[] = [];
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

  const step = (entry: Told): CatalogEvent | undefined => {
    const seen = entry.position === place.position ? place.events : 0;
    const event = entry.events[seen];
    place = event ? { position: entry.position, events: seen + 1 } : { position: entry.position + 1, events: 0 };
    return event;
  };

  /** The next event when it is no longer among the recent ones, or one that says that it is lost. */
  const catchUp = async (): Promise<CatalogEvent | undefined> => {
    page = page.filter(({ position }) => position >= place.position);
    if (page.length === 0) {
      const extent = await readExtent();
      page = isIn(extent, place) ? await readBehind(place.position - 1) : [];
      if (page.length === 0) {
        place = { position: extent.next, events: 0 };
        return reload(idOf(place), new Date());
      }
    }
    const [entry] = page;
    return entry && step(entry);
  };

  const next = async (): Promise<IteratorResult<CatalogEvent>> => {
    while (!over) {
      const here = recent.reaches(place);
      const entry = here ? recent.firstFrom(place) : undefined;
      if (here && entry === undefined) {
        // What has been read is seen, and need not be kept for this one.
        if (place.position <= recent.last()) place = { position: recent.last() + 1, events: 0 };
        page = [];
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const event = entry ? step(entry) : await catchUp();
      if (event && !over && concerns(event, programId)) return { done: false, value: event };
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

/** Whether nothing behind a place has been removed from the log, and the place is one of this log. */
export function isIn({ first, next }: LogExtent, { position }: Place): boolean {
  return first <= position && position <= next;
}

function concerns({ programs }: CatalogEvent, programId: number | null | undefined): boolean {
  return typeof programId !== 'number' || programs === null || programs.includes(programId);
}
