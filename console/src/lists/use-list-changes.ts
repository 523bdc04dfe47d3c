import { useState } from 'react';
import { useChangeGroups } from '../api/api.tsx';
import type { CatalogChange } from '../api/event-stream.ts';

/** Other changes of a record leave it in a list without filter. */
export const movesRecords = ({ action, previousProgramId }: CatalogChange): boolean =>
  action !== 'UPDATE' || previousProgramId !== null;

const isNone: typeof movesRecords = () => false;

/**
 * Reloads a list when records are created or deleted. After the user has scrolled down, that would move rows: then
 * `isBehind` is true until `show` is called.
 *
 * @param mayConcern Which other changes reload it while it has one page: a changed record may belong to it now.
 */
export function useListChanges(mayReload: boolean, reload: () => void, concerns = movesRecords, mayConcern = isNone) {
  const [isBehind, setIsBehind] = useState(false);
  useChangeGroups(concerns, () => {
    const reloads = mayReload || window.scrollY < window.innerHeight;
    setIsBehind(!reloads);
    if (reloads) reload();
  });
  useChangeGroups(
    (change) => !concerns(change) && mayConcern(change),
    () => mayReload && reload(),
  );
  return {
    isBehind,
    show: () => {
      setIsBehind(false);
      reload();
    },
  };
}
