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
