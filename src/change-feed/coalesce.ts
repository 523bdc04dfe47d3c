import type { LoggedChange } from '../database/change-log/change-log.ts';

/**
 * What a transaction did to each record in all, since nobody has seen what was between: who creates a branch and its
 * years has created a branch. A record counts for each program that it was in.
 */
export function coalesceChanges(changes: readonly LoggedChange[]): readonly LoggedChange[] {
  const byRecord = new Map<string, { readonly first: LoggedChange; last: LoggedChange }>();
  for (const change of changes) {
    const key = `${change.kind} ${change.id} ${change.programId}`;
    const seen = byRecord.get(key);
    if (seen === undefined) byRecord.set(key, { first: change, last: change });
    else seen.last = change;
  }
  return [...byRecord.values()].flatMap(({ first, last }) => {
    const wasThere = first.action !== 'CREATED';
    const isThere = last.action !== 'DELETED';
    if (!wasThere && !isThere) return [];
    return { ...first, action: !wasThere ? 'CREATED' : isThere ? 'UPDATED' : 'DELETED' };
  });
}
