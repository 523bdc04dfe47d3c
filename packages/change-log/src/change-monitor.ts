import { setTimeout } from 'node:timers/promises';
import type { ChangeLog, LogEntry } from './change-log.ts';
import { openChangePoller, type Poll } from './change-poller.ts';
import { type Change, createEpochs, createSnapshots, type TakeSnapshot } from './epochs.ts';
import type { LogPosition } from './position.ts';

// Cache invalidation: turns the polls of the change log into epochs. A value is valid while the last poll is recent and
// nothing that it depends on has changed since the snapshot before its reading. A gap (a lost connection, a failover, a
// restored backup) is a change of everything.

export interface ChangeMonitor<Name extends string, Content = unknown> {
  snapshot: TakeSnapshot<Name>;
  /** Reports a change by this instance before it responds (read your writes); hints the other instances to poll. */
  bump(name: Name, change?: Change): void;
  /** Calls back when something has changed under the name, or may have; returns the unsubscribe function. */
  onChange(name: Name, listener: () => void): () => void;
  /** Calls back with each poll that found changes, in order; returns the unsubscribe function. */
  onPoll(listener: (poll: Poll<Content>) => void): () => void;
  /** Returns the end of the log, when all commits before this call are known; rejects with the database's error. */
  refresh(): Promise<LogPosition>;
  /**
   * Waits until every instance knows all commits up to a position, then returns that position: values that any of them
   * takes from a cache after this call have these commits. Call it after `refresh`; it waits in the first moments only.
   */
  settled(): Promise<LogPosition>;
  close(): Promise<void>;
}

interface MonitorOptions<Name extends string, Content extends object> {
  readonly databaseUrl: string;
  readonly log: ChangeLog<Content>;
  readonly names: readonly Name[];
  /** Maps an entry to its changes under a name: `undefined` for nothing, `null` when they are not all known. */
  readonly changeOf: (name: Name, entry: LogEntry<Content>) => Change | null | undefined;
  readonly warn: (message: string) => void;
}

/** Counts from when a poll was sent: a hanging connection is noticed before a revoked key must stop working. */
const trustMs = 800;

/** Opens the poll of a change log, and waits for its first attempt. Failures disable caching until a poll succeeds. */
export async function openChangeMonitor<Name extends string, Content extends object>(
  options: MonitorOptions<Name, Content>,
): Promise<ChangeMonitor<Name, Content>> {
  const { databaseUrl, log, names, changeOf, warn } = options;
  const epochs = createEpochs<Name>();
  const changeListeners = new Map<Name, Set<() => void>>(names.map((name) => [name, new Set()]));
  const pollListeners = new Set<(poll: Poll<Content>) => void>();
  let isFirst = true;
  /** The last positions, oldest first; the first is settled, or is the first of this history. */
  const positions: { readonly position: LogPosition; readonly settledAt: number }[] = [];
  const forgetOlder = (): void => {
    while (positions[1] !== undefined && positions[1].settledAt <= performance.now()) positions.shift();
  };

  const apply = (poll: Poll<Content>): void => {
    const { since, now, entries, isOtherTimeline } = poll;
    if (since === undefined) positions.length = 0;
    positions.push({ position: now, settledAt: performance.now() + trustMs });
    forgetOlder();
    if (since === undefined && !isFirst) {
      const what = isOtherTimeline
        ? 'goes on with another timeline (a standby was promoted), which may lack what was read of the one before'
        : 'has another history than before (a restored backup)';
      warn(`The database ${what}: all caches are cleared, and subscribers are told to reload.`);
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
