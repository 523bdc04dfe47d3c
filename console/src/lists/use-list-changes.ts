import { useState } from 'react';
import { useChangeGroups } from '../api/api.tsx';
import type { CatalogChange } from '../api/event-stream.ts';

/** Other changes change which records a list has. */
const movesRecords = ({ action, previousProgramId }: CatalogChange): boolean =>
  action !== 'UPDATE' || previousProgramId !== null;

/**
 * Reloads a list when records are created or deleted. After the user has scrolled down, that would move rows: then
 * `isBehind` is true until `show` is called.
 */
export function useListChanges(mayReload: boolean, reload: () => void, concerns = movesRecords) {
  const [isBehind, setIsBehind] = useState(false);
  useChangeGroups(concerns, () => {
    const reloads = mayReload || window.scrollY < window.innerHeight;
    setIsBehind(!reloads);
    if (reloads) reload();
  });
  return {
    isBehind,
    show: () => {
      setIsBehind(false);
      reload();
    },
  };
}
