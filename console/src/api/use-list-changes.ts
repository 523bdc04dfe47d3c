import { useEffect, useMemo, useRef, useState } from 'react';
import { useCatalogChanges } from './api.tsx';
import { type CatalogChange, throttle, useChanges } from './changes.ts';

const reloadMs = 700;

/** Whether somebody keeps their place when the list is read again, however many of its pages were loaded. */
const isAtStart = (): boolean => window.scrollY < window.innerHeight;

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
