/** What has changed: who may come in, or the academic structure. */
export type ChangeKind = 'access' | 'catalog';

/** Some programs, by id, or all there are and will be. */
export type Programs = ReadonlySet<number> | 'all';

/**
 * Counts changes. What was read in one epoch of its kind may be old in a later one; of the catalog it is told
 * which programs a change touched, so that what was read of others stays good.
 */
export interface Epochs {
  current(kind: ChangeKind): number;
  /** Begins the next epoch. A change of the catalog touched these programs; without any named, all. */
  bump(kind: ChangeKind, programs?: readonly number[] | null): void;
  /** Whether something that was read in an epoch of the catalog, and contains these programs, may be old now. */
  touchedSince(epoch: number, programs: Programs): boolean;
}

/** So many changed programs are remembered one by one; one more, and all count as touched once. Some 2 MB. */
const rememberedMax = 20_000;

/** Makes the count. */
export function createEpochs(): Epochs {
  const current: Record<ChangeKind, number> = { access: 0, catalog: 0 };
  /** The epoch that began with the last change of a program; those that are missing changed in none since all did. */
  const touched = new Map<number, number>();
  let allTouched = 0;

  const touchCatalog = (programs: readonly number[] | null): void => {
    if (programs === null || touched.size + programs.length > rememberedMax) {
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
