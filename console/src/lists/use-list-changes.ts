import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useChanges } from '../api/api.tsx';
import type { CatalogChange } from '../api/event-stream.ts';
import { throttle } from './throttle.ts';

const reloadMs = 700;

/** Other changes change which records a list has. */
const movesRecords = ({ action, previousProgramId }: CatalogChange): boolean =>
  action !== 'UPDATE' || previousProgramId !== null;

/**
 * Reloads a list when records are created or deleted. If the user has scrolled down, that would move the rows: then
 * `isBehind` is true until `show` is called.
 */
export function useListChanges(mayReload: boolean, reload: () => void, concerns = movesRecords) {
  const [isBehind, setIsBehind] = useState(false);
  const react = useEffectEvent(() => {
    const reloads = mayReload || window.scrollY < window.innerHeight;
    setIsBehind(!reloads);
    if (reloads) reload();
  });
  const soon = useMemo(() => throttle(() => react(), reloadMs), []);
  useEffect(() => soon.cancel, [soon]);
  useChanges((change) => concerns(change) && soon());
  return {
    isBehind,
    show: () => {
      setIsBehind(false);
      reload();
    },
  };
}
