/** The records and lists that a cached value shows. */
export interface Dependencies {
  /** Records, each with all that belongs to it. */
  readonly ids: ReadonlySet<number>;
  /** Lists by the kind of their records, for any filter and order; `anything` for lists that every change touches. */
  readonly lists: ReadonlySet<string>;
}

export const everything: Dependencies = { ids: new Set(), lists: new Set(['anything']) };

export interface Change {
  readonly ids: Iterable<number>;
  /** The kinds of the records that changed. */
  readonly kinds: Iterable<string>;
}

/** An epoch for each name. A value read in one may be stale in a later one, if a change touched its dependencies. */
export interface Epochs<Name extends string> {
  current(name: Name): number;
  /** Raises the epoch of the records and lists that a change touches; of everything, without a change. */
  bump(name: Name, change?: Change): void;
  touchedSince(name: Name, epoch: number, dependencies: Dependencies): boolean;
}

/** Ids tracked one by one (some 2 MB). Past this, everything counts as touched, and tracking starts again. */
const trackedMax = 20_000;

/** An epoch for each name, made when first asked for. */
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
