import { useEffect, useMemo, useRef, useState } from 'react';
import { useCatalogChanges } from './api.tsx';
import { isAtStart } from './at-start.ts';
import { type CatalogChange, throttle, useChanges } from './changes.ts';

const reloadMs = 700;

/** Whether a record came or went; new values of a record are in the event itself. */
const movesRecords = ({ action }: CatalogChange): boolean => action !== 'UPDATED';

/**
 * Reloads a list when records come or go. Somebody who has scrolled far down would lose their place: then the list says
 * that it is behind, and waits.
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
        const reloads = latest.current.mayReload || isAtStart();
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
