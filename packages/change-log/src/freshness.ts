import { type Dependencies, type Epochs, everything } from './epochs.ts';

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
