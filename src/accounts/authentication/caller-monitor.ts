import type { AnyTransaction } from '@service/postgres/sql';
import type { ChangeMonitor, Database } from '../../database/types.ts';
import type { Caller, CallerWatch, TokenClaims } from '../../operations/caller.ts';
import { readKeys } from '../keys/key-lookup.ts';
import { callerOfToken, readTokenUsers, type TokenUser } from './token-users.ts';

/** Revalidates the callers of open streams: detects revoked or expired credentials and changed permissions. */
export interface CallerMonitor extends CallerWatch {
  close(): void;
}

interface CallerMonitorOptions {
  readonly db: Database;
  readonly changes: ChangeMonitor;
}

/** A caller, the expiry of its credential, and when to read it again, by `performance.now()`. */
interface CheckedCaller {
  readonly caller: Caller;
  readonly expiresAtMs: number;
  readonly recheckAt: number;
}

interface Watched {
  now: CheckedCaller;
  readonly onChange: (now: Caller | undefined) => void;
}

/** A key that is revoked or expires stops working within a second (`docs/contract.md` 3). */
const checkEveryMs = 250;
/** Keys in one statement, which takes a few milliseconds. */
const batchSize = 1_000;

/** Reads all watched callers again after a change of users or keys, and regularly while changes may be unknown. */
export function createCallerMonitor({ db, changes }: CallerMonitorOptions): CallerMonitor {
  const watched = new Set<Watched>();
  const stale = new Set<Watched>();
  /** All watched callers have been read since this snapshot, or are stale. */
  let snapshot = changes.snapshot('access');
  let revalidating = false;

  const notify = (entry: Watched, now: Caller | undefined): void => {
    stale.delete(entry);
    if (watched.delete(entry)) entry.onChange(now);
  };

  const markAllStale = (): void => {
    snapshot = changes.snapshot('access');
    for (const entry of watched) stale.add(entry);
  };

  const revalidateBatch = async (entries: readonly Watched[]): Promise<void> => {
    const callers = await callersNow(
      db,
      entries.map(({ now }) => now),
    );
    for (const [index, entry] of entries.entries()) {
      const now = callers[index];
      if (now === undefined || !hasSamePermissions(entry.now.caller, now.caller)) notify(entry, now?.caller);
      else entry.now = now;
    }
  };

  const revalidate = async (): Promise<void> => {
    if (revalidating) return;
    revalidating = true;
    while (stale.size > 0) {
      const batch = [...stale];
      stale.clear();
      try {
        await revalidateBatch(batch);
      } catch {
        // The database is unavailable; the timer retries soon.
        for (const entry of batch) if (watched.has(entry)) stale.add(entry);
        break;
      }
    }
    revalidating = false;
  };

  const unsubscribe = changes.onChange('access', () => {
    markAllStale();
    void revalidate();
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const entry of watched) {
      if (now >= entry.now.expiresAtMs || hasExpired(entry.now.caller)) notify(entry, undefined);
      else if (now >= entry.now.recheckAt) stale.add(entry);
    }
    if (!snapshot.isCurrent()) markAllStale();
    void revalidate();
  }, checkEveryMs);
  timer.unref();

  return {
    watch: (caller, onChange) => {
      const entry = { now: { caller, expiresAtMs: expiryOf(caller), recheckAt: Number.POSITIVE_INFINITY }, onChange };
      watched.add(entry);
      stale.add(entry);
      void revalidate();
      return () => {
        watched.delete(entry);
        stale.delete(entry);
      };
    },
    isCurrent: async (tx, caller) => {
      const times = { expiresAtMs: expiryOf(caller), recheckAt: Number.POSITIVE_INFINITY };
      const [now] = await callersNow(tx, [{ caller, ...times }]);
      return now !== undefined && hasSamePermissions(caller, now.caller);
    },
    close: () => {
      clearInterval(timer);
      unsubscribe();
      watched.clear();
      stale.clear();
    },
  };
}

/** Returns the end of a token on the monotonic clock; a key's expiry comes from the database. */
function expiryOf({ expiresAt }: Caller): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : performance.now() + expiresAt.getTime() - Date.now();
}

function hasExpired({ expiresAt }: Caller): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now();
}

/** Whether a caller has exactly the rights that it had before. */
export function hasSamePermissions(before: Caller, now: Caller): boolean {
  return before.active === now.active && before.role === now.role;
}

/** Reads the callers again: `undefined` for those with an invalid key. The claims of a token do not change, its user may. */
async function callersNow(db: AnyTransaction, known: readonly CheckedCaller[]): Promise<(CheckedCaller | undefined)[]> {
  const callers = known.map(({ caller }) => caller);
  const keyIds = [...new Set(callers.flatMap(({ keyId }) => keyId ?? []))];
  const tokens = [...new Set(callers.flatMap(({ token }) => token ?? []))];
  const byKey = new Map<number, CheckedCaller>();
  for (const batch of inBatches(keyIds)) {
    for (const reading of await readKeys(db, batch)) byKey.set(reading.keyId, reading);
  }
  const users = new Map<TokenClaims, TokenUser>();
  for (const batch of inBatches(tokens)) {
    const found = await readTokenUsers(db, batch);
    for (const [index, token] of batch.entries()) {
      const user = found[index];
      if (user !== undefined) users.set(token, user);
    }
  }
  return known.map(({ caller, ...times }) => {
    if (caller.keyId !== null) return byKey.get(caller.keyId);
    const user = caller.token && users.get(caller.token);
    return caller.token && user && { ...times, caller: callerOfToken(caller.token, user) };
  });
}

function inBatches<Item>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  for (let start = 0; start < items.length; start += batchSize) batches.push(items.slice(start, start + batchSize));
  return batches;
}
