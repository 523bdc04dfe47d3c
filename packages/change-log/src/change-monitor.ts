// Cache invalidation: turns the polls of the change log into epochs, one for access (users, keys) and one for the
// catalog. A value is valid while the last poll is recent and neither the epoch nor the programs that it depends on
// have changed since the snapshot before its reading. A gap (a lost connection, a failover, a restored backup) is a
// change of everything.
import type { LogEntry, LogPosition } from './change-log.ts';
import { openChangePoller, type Poll } from './change-poller.ts';
import { type CatalogChange, type ChangeKind, createEpochs } from './epochs.ts';
import { createSnapshots, type TakeSnapshot } from './freshness.ts';

export interface ChangeMonitor {
  snapshot: TakeSnapshot;
  /** For a change by this instance, before it responds (read your writes); notifies the other instances to poll. */
  bump(kind: ChangeKind, change?: CatalogChange): void;
  /** Calls back when users or keys have changed, or may have; returns the unsubscribe function. */
  onAccessChange(listener: () => void): () => void;
  /** Calls back with each poll that found changes, in order; returns the unsubscribe function. */
  onPoll(listener: (poll: Poll) => void): () => void;
  /** Returns the end of the log, when all commits before this call are known; rejects with the database's error. */
  refresh(): Promise<LogPosition>;
  close(): Promise<void>;
}

/** From when a poll was sent, so that a hanging connection is noticed before a revoked key must stop working. */
const trustMs = 800;

export async function openChangeMonitor(databaseUrl: string, warn: (message: string) => void): Promise<ChangeMonitor> {
  const epochs = createEpochs();
  const accessListeners = new Set<() => void>();
  const pollListeners = new Set<(poll: Poll) => void>();
  let isFirst = true;

  const apply = (poll: Poll): void => {
    const { since, entries } = poll;
    if (since === undefined && !isFirst) {
      warn('The database has another history than before (a restored backup, or a failover): all caches are cleared.');
    }
    isFirst = false;
    const access = entries === null || entries.some((entry) => entry.access);
    if (access) epochs.bump('access');
    if (entries === null) epochs.bump('catalog', null);
    else for (const change of entries.map(changeOf)) if (change !== undefined) epochs.bump('catalog', change);
    for (const listener of pollListeners) listener(poll);
    if (access) for (const listener of accessListeners) listener();
  };

  const poller = await openChangePoller({
    databaseUrl,
    onPoll: apply,
    onFailure: ({ message }) => warn(`The change log cannot be read, so caching is disabled: ${message}`),
  });
  const isLive = (): boolean => performance.now() - poller.currentAsOf() < trustMs;
  return {
    snapshot: createSnapshots(epochs, isLive),
    bump: (kind, change) => {
      epochs.bump(kind, change);
      poller.hint();
    },
    onAccessChange: (listener) => {
      accessListeners.add(listener);
      return () => accessListeners.delete(listener);
    },
    onPoll: (listener) => {
      pollListeners.add(listener);
      return () => pollListeners.delete(listener);
    },
    refresh: poller.refresh,
    close: poller.close,
  };
}

/** What an entry says of the catalog: `undefined` when nothing, `null` when not all that changed is listed. */
function changeOf({ programs, records }: LogEntry): CatalogChange | null | undefined {
  if (programs === null) return null;
  if (programs.length === 0) return undefined;
  const kinds = records?.map(({ kind }) => (kind === 'BRANCH' ? 'branches' : 'programs')) ?? ['programs', 'branches'];
  return { ids: programs, kinds };
}
