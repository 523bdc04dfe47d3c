import type { LoggedChange } from './catalog-log.ts';

/** One change per record and program of a transaction, as nobody has seen the states between. */
export function coalesceChanges(changes: readonly LoggedChange[]): readonly LoggedChange[] {
  const byRecord = new Map<string, { readonly first: LoggedChange; last: LoggedChange }>();
  for (const change of changes) {
    const key = `${change.kind} ${change.id} ${change.programId}`;
    const seen = byRecord.get(key);
    if (seen === undefined) byRecord.set(key, { first: change, last: change });
    else seen.last = change;
  }
  return [...byRecord.values()].flatMap(({ first, last }) => {
    const existedBefore = first.action !== 'CREATED';
    const existsAfter = last.action !== 'DELETED';
    if (!existedBefore && !existsAfter) return [];
    return { ...first, action: !existedBefore ? 'CREATED' : existsAfter ? 'UPDATED' : 'DELETED' };
  });
}
