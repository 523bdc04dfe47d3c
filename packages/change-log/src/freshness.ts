import { type ChangeKind, type Dependencies, type Epochs, everything } from './epochs.ts';

/** What was known of the changes of one kind when something began to be read. */
export interface Freshness {
  /** Whether a value read since is certainly valid: no dependency has changed, and no change can be unknown. */
  isCurrent(dependencies?: Dependencies): boolean;
  /** Whether a change is known since; without one, a value may be outdated all the same. */
  hasChanged(dependencies?: Dependencies): boolean;
  /** Whether nothing of its kind has changed since, so that another snapshot would be the same. */
  isLatest(): boolean;
}

export type TakeSnapshot = (kind: ChangeKind) => Freshness;

/** `isLive`: whether all changes committed until a moment ago are known. */
export function createSnapshots(epochs: Epochs, isLive: () => boolean): TakeSnapshot {
  return (kind) => {
    const epoch = epochs.current(kind);
    const isLatest = (): boolean => epochs.current(kind) === epoch;
    const hasChanged: Freshness['hasChanged'] =
      kind === 'access' ? () => !isLatest() : (dependencies = everything) => epochs.touchedSince(epoch, dependencies);
    return { isCurrent: (dependencies) => isLive() && !hasChanged(dependencies), hasChanged, isLatest };
  };
}
