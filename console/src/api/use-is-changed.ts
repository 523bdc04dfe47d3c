import { useEffect, useState } from 'react';
import { isOwnChange } from '../components/use-is-readable.ts';
import { useChanges } from './api.tsx';
import type { CatalogChange } from './event-stream.ts';

const markMs = 2_500;

/** Whether somebody else changed a record just now, to highlight it; never without a `kind`. */
export function useIsChanged(kind: CatalogChange['kind'] | undefined, id: number): boolean {
  const [changedAt, setChangedAt] = useState<number | null>(null);
  useChanges((change) => {
    const changed = change.kind === 'BRANCH' ? change.branchId : change.programId;
    const isMarked = change.action !== 'DELETE' && !isOwnChange();
    if (change.kind === kind && changed === id && isMarked) setChangedAt(Date.now());
  });
  useEffect(() => {
    if (changedAt === null) return;
    const timer = setTimeout(() => setChangedAt(null), markMs);
    return () => clearTimeout(timer);
  }, [changedAt]);
  return changedAt !== null;
}
