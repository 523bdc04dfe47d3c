import type { LoggedChange } from './catalog-log.ts';

/** The change of a record by a transaction. */
export interface CoalescedChange extends Pick<LoggedChange, 'kind' | 'action' | 'id' | 'programId'> {
  /** The program that a moved branch left. */
  readonly previousProgramId: number | null;
}

/** Reduces the changes of a transaction to one for each record, as nobody has seen the states between. */
export function coalesceChanges(changes: readonly LoggedChange[]): readonly CoalescedChange[] {
  const byRecord = new Map<string, { readonly first: LoggedChange; last: LoggedChange }>();
  for (const change of changes) {
    // A note changes nothing of its record.
    const key = `${change.kind} ${change.id} ${change.action === 'NOTE'}`;
    const seen = byRecord.get(key);
    if (seen === undefined) byRecord.set(key, { first: change, last: change });
    else seen.last = change;
  }
  return [...byRecord.values()].flatMap(({ first, last: { kind, id, programId, action } }): CoalescedChange[] => {
    if (action === 'NOTE') return [{ kind, id, programId, action, previousProgramId: null }];
    const existedBefore = first.action === 'UPDATE' || first.action === 'DELETE';
    const existsAfter = action !== 'DELETE';
    if (!existedBefore)
      return existsAfter ? [{ kind, id, programId, action: first.action, previousProgramId: null }] : [];
    const from = programBefore(first);
    const previousProgramId = from === programId ? null : from;
    return [{ kind, id, programId, action: existsAfter ? 'UPDATE' : 'DELETE', previousProgramId }];
  });
}

function programBefore(change: LoggedChange): number {
  return (change.kind === 'BRANCH' ? change.previousProgramId : undefined) ?? change.programId;
}
