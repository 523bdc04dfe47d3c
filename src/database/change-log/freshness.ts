import type { ChangeKind, Epochs, Programs } from './epochs.ts';

/** What was known of the changes of one kind when something began to be read. */
export interface Freshness {
  /**
   * Whether a value read since is certainly valid now: nothing has changed, and no change can be unknown.
   *
   * @param programs those that the value depends on; changes of others do not count. All by default.
   */
  isCurrent(programs?: Programs): boolean;
  /** Whether a change is known since. Without one a value may be outdated all the same, while changes are not known. */
  hasChanged(): boolean;
}

/** Takes a snapshot, before anything is read. */
export type TakeSnapshot = (kind: ChangeKind) => Freshness;

/**
 * Creates the snapshots of an instance.
 *
 * @param isLive whether all changes committed until a moment ago are known.
 */
export function createSnapshots(epochs: Epochs, isLive: () => boolean): TakeSnapshot {
  return (kind) => {
    const epoch = epochs.current(kind);
    const hasChanged = (): boolean => epochs.current(kind) !== epoch;
    const isTouched = kind === 'access' ? hasChanged : (programs: Programs) => epochs.touchedSince(epoch, programs);
    return { isCurrent: (programs = 'all') => isLive() && !isTouched(programs), hasChanged };
  };
}
