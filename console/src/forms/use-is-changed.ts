import { useEffect, useState } from 'react';
import { useChanges } from '../api/api.tsx';
import type { RecordKind } from '../api/event-stream.ts';
import { isOwnChange } from './own-saves.ts';

const markMs = 2_500;

/** Whether somebody else changed a record just now, to highlight it; never without a `kind`. */
export function useIsChanged(kind: RecordKind | undefined, id: number): boolean {
  const [changedAt, setChangedAt] = useState<number | null>(null);
  useChanges((change) => {
    const changed = change.kind === 'BRANCH' ? change.branchId : change.programId;
    if (kind === undefined || change.kind !== kind || changed !== id || change.action === 'DELETE') return;
    if (!isOwnChange({ kind, id })) setChangedAt(Date.now());
  });
  useEffect(() => {
    if (changedAt === null) return;
    const timer = setTimeout(() => setChangedAt(null), markMs);
    return () => clearTimeout(timer);
  }, [changedAt]);
  return changedAt !== null;
}
