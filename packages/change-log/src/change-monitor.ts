import { setTimeout } from 'node:timers/promises';
import type { ChangeLog, LogEntry, LogPosition } from './change-log.ts';
import { openChangePoller, type Poll } from './change-poller.ts';

// Cache invalidation: turns the polls of the change log into epochs. A value is valid while the last poll is recent and
// nothing that it depends on has changed since the snapshot before its reading. A gap (a lost connection, a failover, a
// restored backup) is a change of everything.

export interface ChangeMonitor<Name extends string, Content = unknown> {
  snapshot: TakeSnapshot<Name>;
  /** For a change by this instance, before it responds (read your writes); notifies the other instances to poll. */
  bump(name: Name, change?: Change): void;
  /** Calls back when something has changed under the name, or may have; returns the unsubscribe function. */
  onChange(name: Name, listener: () => void): () => void;
  /** Calls back with each poll that found changes, in order; returns the unsubscribe function. */
  onPoll(listener: (poll: Poll<Content>) => void): () => void;
  /** Returns the end of the log, when all commits before this call are known; rejects with the database's error. */
  refresh(): Promise<LogPosition>;
  /**
   * A position that no instance lags behind: cached values that are used after this call have all commits before it.
   * After `refresh`; waits in the first moments only.
   */
  settled(): Promise<LogPosition>;
  close(): Promise<void>;
}

interface MonitorOptions<Name extends string, Content extends object> {
  readonly databaseUrl: string;
  readonly log: ChangeLog<Content>;
  readonly names: readonly Name[];
  /** What an entry changed under a name: `undefined` for nothing, `null` when not all of it is known. */
  readonly changeOf: (name: Name, entry: LogEntry<Content>) => Change | null | undefined;
  readonly warn: (message: string) => void;
}

/** From when a poll was sent, so that a hanging connection is noticed before a revoked key must stop working. */
const trustMs = 800;

export async function openChangeMonitor<Name extends string, Content extends object>(
  options: MonitorOptions<Name, Content>,
): Promise<ChangeMonitor<Name, Content>> {
  const { databaseUrl, log, names, changeOf, warn } = options;
  const epochs = createEpochs<Name>();
  const changeListeners = new Map<Name, Set<() => void>>(names.map((name) => [name, new Set()]));
  const pollListeners = new Set<(poll: Poll<Content>) => void>();
  let isFirst = true;
  /** Those of the last moments, oldest first: the first is settled, or is the first of this history. */
  const positions: { readonly position: LogPosition; readonly settledAt: number }[] = [];
  const forgetOlder = (): void => {
    while (positions[1] !== undefined && positions[1].settledAt <= performance.now()) positions.shift();
  };

  const apply = (poll: Poll<Content>): void => {
    const { since, now, entries } = poll;
    if (since === undefined) positions.length = 0;
    positions.push({ position: now, settledAt: performance.now() + trustMs });
    forgetOlder();
    if (since === undefined && !isFirst) {
      warn('The database has another history than before (a restored backup, or a failover): all caches are cleared.');
    }
    isFirst = false;
    const changed = names.filter((name) => {
      const changes = entries?.map((entry) => changeOf(name, entry)).filter((change) => change !== undefined) ?? [null];
      for (const change of changes) epochs.bump(name, change ?? undefined);
      return changes.length > 0;
    });
    for (const listener of pollListeners) listener(poll);
    for (const name of changed) for (const listener of changeListeners.get(name) ?? []) listener();
  };

  const poller = await openChangePoller({
    databaseUrl,
    log,
    onPoll: apply,
    onFailure: ({ message }) => warn(`The change log cannot be read, so caching is disabled: ${message}`),
  });
  const isLive = (): boolean => performance.now() - poller.currentAsOf < trustMs;
  return {
    snapshot: createSnapshots(epochs, isLive),
    bump: (name, change) => {
      epochs.bump(name, change);
      poller.hint();
    },
    onChange: (name, listener) => {
      changeListeners.get(name)?.add(listener);
      return () => changeListeners.get(name)?.delete(listener);
    },
    onPoll: (listener) => {
      pollListeners.add(listener);
      return () => pollListeners.delete(listener);
    },
    refresh: () => poller.refresh(),
    settled: async () => {
      for (;;) {
        forgetOlder();
        const [oldest] = positions;
        if (oldest === undefined) throw new Error('There is no position before the first poll.');
        const leftMs = oldest.settledAt - performance.now();
        if (leftMs <= 0) return oldest.position;
        await setTimeout(Math.ceil(leftMs));
      }
    },
    close: () => poller.close(),
  };
}

/** What a cached value shows. */
export interface Dependencies {
  /** Records, each with all that belongs to it. */
  readonly ids: ReadonlySet<number>;
  /** Lists by the kind of their records, whatever their filter and order; `anything` for those that any change touches. */
  readonly lists: ReadonlySet<string>;
}

export const everything: Dependencies = { ids: new Set(), lists: new Set(['anything']) };

export interface Change {
  readonly ids: Iterable<number>;
  /** The kinds of the records that changed. */
  readonly kinds: Iterable<string>;
}

/** Each name has an epoch. A value read in one may be stale in a later one, if a change touched its dependencies. */
export interface Epochs<Name extends string> {
  current(name: Name): number;
  /** Without a change, everything is touched. */
  bump(name: Name, change?: Change): void;
  touchedSince(name: Name, epoch: number, dependencies: Dependencies): boolean;
}

/** Ids tracked one by one; past this, everything counts as touched, and tracking starts again. Some 2 MB. */
const trackedMax = 20_000;

export function createEpochs<Name extends string = string>(): Epochs<Name> {
  const epochs = new Map<Name, Epoch>();
  const named = (name: Name): Epoch => {
    const known = epochs.get(name);
    if (known !== undefined) return known;
    const epoch = new Epoch();
    epochs.set(name, epoch);
    return epoch;
  };
  return {
    current: (name) => named(name).current,
    bump: (name, change) => named(name).bump(change),
    touchedSince: (name, epoch, dependencies) => named(name).touchedSince(epoch, dependencies),
  };
}

class Epoch {
  current = 0;
  #allTouched = 0;
  /** The epoch of the last change of each; a missing one has not changed since `allTouched`. */
  readonly #ids = new Map<number, number>();
  readonly #kinds = new Map<string, number>();

  bump(change: Change | undefined): void {
    this.current += 1;
    for (const id of change?.ids ?? []) this.#ids.set(id, this.current);
    for (const kind of change?.kinds ?? []) this.#kinds.set(kind, this.current);
    if (change !== undefined && this.#ids.size <= trackedMax) return;
    this.#ids.clear();
    this.#allTouched = this.current;
  }

  touchedSince(epoch: number, { ids, lists }: Dependencies): boolean {
    if (epoch === this.current) return false;
    if (epoch < this.#allTouched || lists.has('anything')) return true;
    return isTouched(this.#kinds, lists, epoch) || isTouched(this.#ids, ids, epoch);
  }
}

function isTouched<Key>(touched: ReadonlyMap<Key, number>, keys: Iterable<Key>, epoch: number): boolean {
  for (const key of keys) if ((touched.get(key) ?? 0) > epoch) return true;
  return false;
}

/** The known changes under one name when a read began. */
export interface Freshness {
  /** Whether a value read since is certainly valid: no dependency has changed, and no change can be unknown. */
  isCurrent(dependencies?: Dependencies): boolean;
  /** Whether a change is known since; without one, a value may be outdated all the same. */
  hasChanged(dependencies?: Dependencies): boolean;
  /** Whether nothing has changed since, so that another snapshot would be the same. */
  isLatest(): boolean;
}

export type TakeSnapshot<Name extends string> = (name: Name) => Freshness;

/** `isLive`: whether all changes committed until a moment ago are known. */
export function createSnapshots<Name extends string>(epochs: Epochs<Name>, isLive: () => boolean): TakeSnapshot<Name> {
  return (name) => {
    const epoch = epochs.current(name);
    const hasChanged = (dependencies = everything): boolean => epochs.touchedSince(name, epoch, dependencies);
    return {
      isCurrent: (dependencies) => isLive() && !hasChanged(dependencies),
      hasChanged,
      isLatest: () => epochs.current(name) === epoch,
    };
  };
}
