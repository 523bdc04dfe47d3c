import type { ChangeMonitor } from '../database/change-log/change-monitor.ts';
import type { Database } from '../database/connection/types.ts';
import type { Caller } from './caller.ts';
import { readKeys } from './key-lookup.ts';

/** Looks after those who were let in and stay: finds out when one is no longer who they were. */
export interface CallerMonitor {
  /**
   * Watches a caller.
   *
   * @param onChange called at most once: with the caller as they are now, when they may do more or less than before;
   *   with `undefined` when their credential has stopped working.
   * @returns how to stop.
   */
  watch(caller: Caller, onChange: (now: Caller | undefined) => void): () => void;
  close(): void;
}

interface CallerMonitorOptions {
  readonly db: Database;
  readonly changes: ChangeMonitor;
}

/** Someone who stands behind a stream, and how long what is known of them holds, as `performance.now()` counts. */
interface Standpoint {
  readonly caller: Caller;
  readonly endsAt: number;
  readonly goodUntil: number;
}

interface Watched {
  now: Standpoint;
  readonly onChange: (now: Caller | undefined) => void;
}

/** A key that is revoked or expires stops working within a second (`docs/contract.md` 3). */
const checkEveryMs = 250;
/** Keys in one statement, which takes a few milliseconds. */
const batchSize = 1_000;

/**
 * Makes the watch. After a change of users or keys, those of the callers are read again, each once however many callers
 * share it; so are they while changes cannot be heard of.
 */
export function createCallerMonitor({ db, changes }: CallerMonitorOptions): CallerMonitor {
  const watched = new Set<Watched>();
  /** Those of whom something may have changed since they were read. */
  const unsure = new Set<Watched>();
  let looking = false;

  const tell = (entry: Watched, now: Caller | undefined): void => {
    unsure.delete(entry);
    if (watched.delete(entry)) entry.onChange(now);
  };

  const markAllStale = (): void => {
    for (const entry of watched) unsure.add(entry);
  };

  const lookAgain = async (entries: readonly Watched[]): Promise<void> => {
    const callers = await callersNow(
      db,
      entries.map(({ now }) => now),
    );
    for (const [index, entry] of entries.entries()) {
      const now = callers[index];
      if (now === undefined || !maySame(entry.now.caller, now.caller)) tell(entry, now?.caller);
      else entry.now = now;
    }
  };

  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    while (unsure.size > 0) {
      const batch = [...unsure];
      unsure.clear();
      try {
        await lookAgain(batch);
      } catch {
        // The database is away: nothing can be told from it either. The next look comes soon.
        for (const entry of batch) if (watched.has(entry)) unsure.add(entry);
        break;
      }
    }
    looking = false;
  };

  const unsubscribe = changes.subscribe((notice) => {
    if (notice !== null && notice.kind !== 'access') return;
    markAllStale();
    void look();
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const entry of watched) {
      if (now >= entry.now.endsAt || hasExpired(entry.now.caller)) tell(entry, undefined);
      else if (now >= entry.now.goodUntil) unsure.add(entry);
    }
    if (!changes.isLive()) markAllStale();
    void look();
  }, checkEveryMs);
  timer.unref();

  return {
    watch: (caller, onChange) => {
      const entry = { now: { caller, endsAt: endOf(caller), goodUntil: Number.POSITIVE_INFINITY }, onChange };
      watched.add(entry);
      // Something may have changed between the check of the credential and now.
      unsure.add(entry);
      void look();
      return () => {
        watched.delete(entry);
        unsure.delete(entry);
      };
    },
    close: () => {
      clearInterval(timer);
      unsubscribe();
      watched.clear();
      unsure.clear();
    },
  };
}

/** When a token ends, whatever becomes of the clock on the wall meanwhile; a key's end comes with its reading. */
function endOf({ expiresAt }: Caller): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : performance.now() + expiresAt.getTime() - Date.now();
}

function hasExpired({ expiresAt }: Caller): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now();
}

/** Whether a caller may do what they could before, no less and no more. */
export function maySame(before: Caller, now: Caller): boolean {
  const held = [...now.permissions];
  return (
    before.active === now.active &&
    before.permissions.size === held.length &&
    held.every((permission) => before.permissions.has(permission))
  );
}

/** Who the callers are now: `undefined` for those whose key works no more. A token says the same until it expires. */
async function callersNow(db: Database, known: readonly Standpoint[]): Promise<(Standpoint | undefined)[]> {
  const callers = known.map(({ caller }) => caller);
  const keyIds = [...new Set(callers.flatMap(({ keyId }) => keyId ?? []))];
  const names = [...new Set(callers.flatMap(({ keyId, name }) => (keyId === null && name !== null ? name : [])))];
  const byKey = new Map<number, Standpoint>();
  for (const batch of inBatches(keyIds)) {
    for (const reading of await readKeys(db, batch)) byKey.set(reading.keyId, reading);
  }
  const disabled = new Set<string>();
  for (const batch of inBatches(names)) {
    for (const { name } of await db.user.findMany({ where: { name: { in: batch }, disabled: true } }))
      disabled.add(name);
  }
  return known.map(({ caller, ...times }) =>
    caller.keyId === null
      ? { ...times, caller: { ...caller, active: caller.name !== null && !disabled.has(caller.name) } }
      : byKey.get(caller.keyId),
  );
}

function inBatches<Item>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  for (let start = 0; start < items.length; start += batchSize) batches.push(items.slice(start, start + batchSize));
  return batches;
}
