/** `access`: users and API keys; `catalog`: programs, branches and their years. */
export type ChangeKind = 'access' | 'catalog';

export interface Dependencies {
  /** Programs by id, with their branches and years. */
  readonly programs: ReadonlySet<number>;
  /** Programs by id, by their own columns only. */
  readonly rows: ReadonlySet<number>;
  /** Decides on its records and their order: columns of programs, `existence`, `branches` (all), or `anything`. */
  readonly criteria: ReadonlySet<string>;
}

export const everything: Dependencies = { programs: new Set(), rows: new Set(), criteria: new Set(['anything']) };

export interface CatalogChange {
  readonly programs: Iterable<number>;
  readonly rows: Iterable<number>;
  /** Without `anything`, which every change touches; `all` when it is not known which. */
  readonly criteria: Iterable<string> | 'all';
}

/** A value read in one epoch may be stale in a later one; in the catalog, only if a change touched its dependencies. */
export interface Epochs {
  current(kind: ChangeKind): number;
  /** In the catalog, `null` is a change of everything. */
  bump(kind: ChangeKind, change?: CatalogChange | null): void;
  touchedSince(epoch: number, dependencies: Dependencies): boolean;
}

/** Ids tracked one by one; past this, everything counts as touched, and tracking starts again. Some 4 MB. */
const trackedMax = 40_000;

export function createEpochs(): Epochs {
  const current: Record<ChangeKind, number> = { access: 0, catalog: 0 };
  /** The epoch of the last change of each; a missing one has not changed since `allTouched`. */
  const programs = new Map<number, number>();
  const rows = new Map<number, number>();
  const criteria = new Map<string, number>();
  let allCriteriaTouched = 0;
  let allTouched = 0;

  const touchAll = (): void => {
    for (const touched of [programs, rows, criteria]) touched.clear();
    allTouched = current.catalog;
  };

  const touch = (change: CatalogChange): void => {
    for (const id of change.programs) programs.set(id, current.catalog);
    for (const id of change.rows) rows.set(id, current.catalog);
    if (change.criteria === 'all') allCriteriaTouched = current.catalog;
    else for (const criterion of change.criteria) criteria.set(criterion, current.catalog);
    if (programs.size + rows.size > trackedMax) touchAll();
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
      if (epoch < allTouched || dependencies.criteria.has('anything')) return true;
      if (dependencies.criteria.size > 0 && epoch < allCriteriaTouched) return true;
      return (
        isTouched(criteria, dependencies.criteria, epoch) ||
        isTouched(programs, dependencies.programs, epoch) ||
        isTouched(rows, dependencies.rows, epoch)
      );
    },
  };
}

function isTouched<Name>(touched: ReadonlyMap<Name, number>, names: Iterable<Name>, epoch: number): boolean {
  for (const name of names) if ((touched.get(name) ?? 0) > epoch) return true;
  return false;
}
