/** `access`: users and API keys; `catalog`: programs, branches and their years. */
export type ChangeKind = 'access' | 'catalog';

/** What a cached value shows. */
export interface Dependencies {
  /** Records, each with all that belongs to it. */
  readonly ids: ReadonlySet<number>;
  /** Lists by the kind of their records, whatever their filter and order; `anything` for those that any change touches. */
  readonly lists: ReadonlySet<string>;
}

export const everything: Dependencies = { ids: new Set(), lists: new Set(['anything']) };

export interface CatalogChange {
  readonly ids: Iterable<number>;
  /** The kinds of the records that changed. */
  readonly kinds: Iterable<string>;
}

/** A value read in one epoch may be stale in a later one; in the catalog, only if a change touched its dependencies. */
export interface Epochs {
  current(kind: ChangeKind): number;
  /** In the catalog, `null` is a change of everything. */
  bump(kind: ChangeKind, change?: CatalogChange | null): void;
  touchedSince(epoch: number, dependencies: Dependencies): boolean;
}

/** Ids tracked one by one; past this, everything counts as touched, and tracking starts again. Some 2 MB. */
const trackedMax = 20_000;

export function createEpochs(): Epochs {
  const current: Record<ChangeKind, number> = { access: 0, catalog: 0 };
  /** The epoch of the last change of each; a missing one has not changed since `allTouched`. */
  const ids = new Map<number, number>();
  const kinds = new Map<string, number>();
  let allTouched = 0;

  const touchAll = (): void => {
    ids.clear();
    allTouched = current.catalog;
  };

  const touch = (change: CatalogChange): void => {
    for (const id of change.ids) ids.set(id, current.catalog);
    for (const kind of change.kinds) kinds.set(kind, current.catalog);
    if (ids.size > trackedMax) touchAll();
  };

  return {
    current: (kind) => current[kind],
    bump: (kind, change = null) => {
      current[kind] += 1;
      if (kind === 'access') return;
      if (change === null) touchAll();
      else touch(change);
    },
    touchedSince: (epoch, dependencies) => {
      if (epoch === current.catalog) return false;
      if (epoch < allTouched || dependencies.lists.has('anything')) return true;
      return isTouched(kinds, dependencies.lists, epoch) || isTouched(ids, dependencies.ids, epoch);
    },
  };
}

function isTouched<Name>(touched: ReadonlyMap<Name, number>, names: Iterable<Name>, epoch: number): boolean {
  for (const name of names) if ((touched.get(name) ?? 0) > epoch) return true;
  return false;
}
