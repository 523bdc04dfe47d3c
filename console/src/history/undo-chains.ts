import type { ChangeFragment } from './documents.generated.ts';

type Link = Pick<ChangeFragment, 'changeId' | 'actor' | 'undoes' | 'undoneBy'>;

/** Whether a change is an undo: its depth is odd, that of a redo even. */
function isUndo<Change extends Link>(changes: readonly Change[], { undoes }: Link): boolean {
  if (undoes === null) return false;
  const undone = changes.find(({ changeId }) => changeId === undoes);
  return undone === undefined || !isUndo(changes, undone);
}

/** The change that began it: of an undo and of what brought that back, what was undone first. */
export function rootOf<Change extends Link>(changes: readonly Change[], change: Change): Change {
  const undone = changes.find(({ changeId }) => changeId === change.undoes);
  return undone === undefined ? change : rootOf(changes, undone);
}

/**
 * What Ctrl-Z undoes. `change`: the user's last change that is in effect, including one that was redone. `isNext`: they
 * have undone another just before.
 *
 * @param changes Of everybody, newest first.
 */
export function toUndo<Change extends Link>(changes: readonly Change[], user: string) {
  const own = changes.filter(({ actor }) => actor === user);
  const change = own.find(
    // What was brought back may be undone by itself: then nothing is left of that.
    (one) => one.undoneBy === null && !isUndo(changes, one) && rootOf(changes, one).undoneBy === null,
  );
  return { change, isNext: own[0] !== undefined && isUndo(changes, own[0]) };
}

/** What Ctrl-Y brings back, by undoing it: the user's last undo, unless they have changed something since. */
export function toRedo<Change extends Link>(changes: readonly Change[], user: string): Change | undefined {
  for (const change of changes.filter(({ actor }) => actor === user)) {
    if (change.undoneBy !== null) continue;
    if (isUndo(changes, change)) return change;
    if (change.undoes === null) return undefined;
  }
  return undefined;
}

/** Whether the user has changed nothing since a change of theirs, nor undone anything. */
export const isNewestOf = <Change extends Link>(changes: readonly Change[], changeId: string, user: string): boolean =>
  changes.find(({ actor }) => actor === user)?.changeId === changeId;
