import type { Client } from 'urql';
import { describeError } from '../api/errors.ts';
import { toastFailure, toastLasting } from '../components/toast-queue.ts';
import { formatAgo } from '../format/text.ts';
import { LastChangesDocument } from './documents.generated.ts';
import { describeChange, verbFor } from './feed.ts';

/** Among so many changes of everybody, one's own is looked for. */
const changesMax = 50;
/** An older change is not undone before the user has read what it was. */
const recentMs = 10 * 60_000;

/** Undoes the user's last own change of the catalog, and says what it was; asks first if it is large or old. */
export async function undoLast(
  client: Client,
  own: string,
  undo: (changeId: string) => Promise<boolean>,
): Promise<void> {
  const variables = { first: changesMax, imports: false };
  const { data, error } = await client.query(LastChangesDocument, variables, { requestPolicy: 'network-only' });
  if (error !== undefined || data === undefined) {
    toastFailure(error === undefined ? 'The last changes cannot be read. Try again.' : describeError(error));
    return;
  }
  const last = data.lastChanges.find(({ actor, isUndone, action }) => actor === own && !isUndone && action !== 'UNDO');
  if (last === undefined) {
    toastLasting('There is no change of yours to undo.', {});
    return;
  }
  const what = `You ${verbFor(last.action)} ${describeChange(last)} ${formatAgo(last.at)}.`;
  const isSmall = last.programs + last.branches === 1 && Date.now() - Date.parse(last.at) < recentMs;
  if (!isSmall) toastLasting(what, { action: { label: 'Undo it', run: () => void undo(last.changeId) } });
  else if (await undo(last.changeId)) toastLasting(`Undone: ${what}`, {});
}
