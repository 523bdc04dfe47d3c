import { type ChangeKind, type Dependencies, type Epochs, everything } from './epochs.ts';

/** What was known of the changes of one kind when something began to be read. */
export interface Freshness {
  /** Whether a value read since is certainly valid: no dependency has changed, and no change can be unknown. */
  isCurrent(dependencies?: Dependencies): boolean;
  /** Whether a change is known since; without one, a value may be outdated all the same. */
  hasChanged(dependencies?: Dependencies): boolean;
}

export type TakeSnapshot = (kind: ChangeKind) => Freshness;

/** `isLive`: whether all changes committed until a moment ago are known. */
export function createSnapshots(epochs: Epochs, isLive: () => boolean): TakeSnapshot {
  return (kind) => {
    const epoch = epochs.current(kind);
    const hasChanged: Freshness['hasChanged'] =
      kind === 'access'
        ? () => epochs.current(kind) !== epoch
        : (dependencies = everything) => epochs.touchedSince(epoch, dependencies);
    return { isCurrent: (dependencies) => isLive() && !hasChanged(dependencies), hasChanged };
  };
}
