/** `access`: users and API keys; `catalog`: programs, branches and their years. */
export type ChangeKind = 'access' | 'catalog';

/** Programs by id, or all, future ones included. */
export type Programs = ReadonlySet<number> | 'all';

/**
 * Epochs for cache invalidation. A value read in one epoch may be stale in a later one; in the catalog, only if the
 * change was of a program that the value depends on.
 */
export interface Epochs {
  current(kind: ChangeKind): number;
  /** Starts the next epoch. `programs` are those that a change of the catalog touched; all by default. */
  bump(kind: ChangeKind, programs?: readonly number[] | null): void;
  /** Whether a value that was read in this epoch of the catalog, and depends on these programs, may be stale. */
  touchedSince(epoch: number, programs: Programs): boolean;
}

/** Programs tracked one by one; past this, all count as touched, and tracking starts again. Some 2 MB. */
const trackedMax = 20_000;

export function createEpochs(): Epochs {
  const current: Record<ChangeKind, number> = { access: 0, catalog: 0 };
  /** By program, the epoch of its last change; a missing one has not changed since `allTouched`. */
  const touched = new Map<number, number>();
  let allTouched = 0;

  const touchCatalog = (programs: readonly number[] | null): void => {
    if (programs === null || touched.size + programs.length > trackedMax) {
      touched.clear();
      allTouched = current.catalog;
    } else {
      for (const id of programs) touched.set(id, current.catalog);
    }
  };

  return {
    current: (kind) => current[kind],
    bump: (kind, programs = null) => {
      current[kind] += 1;
      if (kind === 'catalog') touchCatalog(programs);
    },
    touchedSince: (epoch, programs) => {
      if (epoch === current.catalog) return false;
      if (programs === 'all' || epoch < allTouched) return true;
      for (const id of programs) if ((touched.get(id) ?? 0) > epoch) return true;
      return false;
    },
  };
}
