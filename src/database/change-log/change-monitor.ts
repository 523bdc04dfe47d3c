import type { LogEntry, LogPosition } from './change-log.ts';
import { openChangePoller, type Poll } from './change-poller.ts';
import { type ChangeKind, createEpochs, type Programs } from './epochs.ts';

/** Something has changed that watchers of the log learn in detail. */
interface Notice {
  readonly kind: 'access';
}

/**
 * What has changed in the database, whoever changed it. What an instance caches counts only while `hears()` and only under
 * the epoch in which its reading began.
 */
export interface ChangeMonitor {
  /** Whether all changes are known that were committed until a moment ago: if not, nothing that is cached may be used. */
  isLive(): boolean;
  /** A number that grows with every change of a kind, and whenever changes may have been missed. */
  epoch(kind: ChangeKind): number;
  /** Whether what was read in an epoch of the catalog, and contains these programs, may have changed since. */
  touchedSince(epoch: number, programs: Programs): boolean;
  /**
   * Raises an epoch for a change of this instance's own, before it responds: so it reads what it has written. The other
   * instances are told to look. A change of the catalog touched these programs; all, when it does not say.
   */
  bump(kind: ChangeKind, programs?: readonly number[]): void;
  /** Calls back when users or keys have changed, and with `null` when anything may have changed; returns how to stop. */
  subscribe(listener: (notice: Notice | null) => void): () => void;
  /** Calls back with what each poll of the change log found, in order; returns how to stop. */
  watch(listener: (poll: Poll) => void): () => void;
  /**
   * Waits until everything is known that was committed before this call, and has been called back with.
   *
   * @returns where the change log ends now.
   * @throws what the database says, when it cannot be asked.
   */
  refresh(): Promise<LogPosition>;
  close(): Promise<void>;
}

/**
 * What is cached is trusted this long after the last poll that was answered was sent. A connection that hangs instead of
 * breaking is thus found out within the second in which a revoked key must stop working.
 */
const trustMs = 800;

/**
 * Opens the view of what changes; polls the change log until `close`.
 *
 * @param warn gets a sentence for the operator.
 */
export async function openChangeMonitor(databaseUrl: string, warn: (message: string) => void): Promise<ChangeMonitor> {
  const epochs = createEpochs();
  const listeners = new Set<(notice: Notice | null) => void>();
  const watchers = new Set<(poll: Poll) => void>();
  let isFirst = true;

  const notify = (notice: Notice | null): void => {
    for (const listener of listeners) listener(notice);
  };

  const onPoll = (poll: Poll): void => {
    const { since, entries } = poll;
    if (since === undefined && !isFirst) {
      warn('The database has another history than before (restored, or failed over): everything cached is dropped.');
    }
    isFirst = false;
    const access = entries === null || entries.some((entry) => entry.access);
    const catalog = entries === null ? null : programsOf(entries);
    if (access) epochs.bump('access');
    if (catalog === null || catalog.length > 0) epochs.bump('catalog', catalog);
    for (const watcher of watchers) watcher(poll);
    if (entries === null) notify(null);
    else if (access) notify({ kind: 'access' });
  };

  const poller = await openChangePoller({
    databaseUrl,
    onPoll,
    onFailure: ({ message }) => warn(`The change log cannot be read, so nothing is cached: ${message}`),
  });
  return {
    isLive: () => performance.now() - poller.provedAt() < trustMs,
    epoch: epochs.current,
    touchedSince: epochs.touchedSince,
    bump: (kind, programs) => {
      epochs.bump(kind, programs);
      poller.hint();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    refresh: poller.refresh,
    close: poller.close,
  };
}

/** The programs that some entries touched; `null` when these are not all named. */
function programsOf(entries: readonly LogEntry[]): readonly number[] | null {
  const programs = new Set<number>();
  for (const entry of entries) {
    if (entry.programs === null) return null;
    for (const program of entry.programs) programs.add(program);
  }
  return [...programs];
}
