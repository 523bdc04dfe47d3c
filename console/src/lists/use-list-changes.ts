import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useChanges } from '../api/api.tsx';
import type { CatalogChange } from '../api/event-stream.ts';

/** Changes come in groups, each with one reload. Every instance of the service knows of the change by then. */
const groupMs = 500;

/** Other changes change which records a list has. */
const movesRecords = ({ action, previousProgramId }: CatalogChange): boolean =>
  action !== 'UPDATE' || previousProgramId !== null;

/**
 * Reloads a list when records are created or deleted. After the user has scrolled down, that would move rows: then
 * `isBehind` is true until `show` is called.
 */
export function useListChanges(mayReload: boolean, reload: () => void, concerns = movesRecords) {
  const [isBehind, setIsBehind] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const react = useEffectEvent(() => {
    timer.current = undefined;
    const reloads = mayReload || window.scrollY < window.innerHeight;
    setIsBehind(!reloads);
    if (reloads) reload();
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useChanges((change) => {
    if (concerns(change)) timer.current ??= setTimeout(() => react(), groupMs);
  });
  return {
    isBehind,
    show: () => {
      setIsBehind(false);
      reload();
    },
  };
}
