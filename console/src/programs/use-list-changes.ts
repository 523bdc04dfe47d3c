import { useEffect, useMemo, useRef, useState } from 'react';
import { useCatalogChanges } from '../api/api.tsx';
import { throttle, useChanges } from '../api/changes.ts';

const reloadMs = 700;

/**
 * Reloads a list when records come or go. Somebody who has scrolled far down would lose their place: then the list says
 * that it is behind, and waits.
 */
export function useListChanges(mayReload: boolean, reload: () => void) {
  const [isBehind, setIsBehind] = useState(false);
  const latest = useRef({ mayReload, reload });
  useEffect(() => {
    latest.current = { mayReload, reload };
  });
  const react = useMemo(
    () =>
      throttle(() => {
        if (latest.current.mayReload) latest.current.reload();
        else setIsBehind(true);
      }, reloadMs),
    [],
  );
  useEffect(() => react.cancel, [react]);
  useChanges(useCatalogChanges(), ({ action, kind }) => {
    if (action === 'CREATED' || action === 'RELOAD' || (action === 'DELETED' && kind === 'PROGRAM')) react();
  });
  return {
    isBehind,
    show: () => {
      setIsBehind(false);
      latest.current.reload();
    },
  };
}
