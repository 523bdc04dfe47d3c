import { useEffect, useMemo, useRef, useState } from 'react';
import { isNearTop, useCatalogChanges } from '../api/api.tsx';
import { type CatalogChange, throttle, useChanges } from '../api/changes.ts';

const reloadMs = 700;

/** The event of an update has the new values; others change which records a list has. */
const movesRecords = ({ action, previousProgramId }: CatalogChange): boolean =>
  action !== 'UPDATE' || previousProgramId !== null;

/**
 * Reloads a list when records are created or deleted. If the user has scrolled down, that would move the rows: then
 * `isBehind` is true until `show` is called.
 */
export function useListChanges(mayReload: boolean, reload: () => void, concerns = movesRecords) {
  const [isBehind, setIsBehind] = useState(false);
  const latest = useRef({ mayReload, reload });
  useEffect(() => {
    latest.current = { mayReload, reload };
  });
  const react = useMemo(
    () =>
      throttle(() => {
        const reloads = latest.current.mayReload || isNearTop();
        setIsBehind(!reloads);
        if (reloads) latest.current.reload();
      }, reloadMs),
    [],
  );
  useEffect(() => react.cancel, [react]);
  useChanges(useCatalogChanges(), (change) => {
    if (concerns(change)) react();
  });
  return {
    isBehind,
    show: () => {
      setIsBehind(false);
      latest.current.reload();
    },
  };
}
