import type { Client } from 'urql';
import { describeError } from '../api/errors.ts';
import { isLastUndoKnown } from '../bulk/use-undo.ts';
import { formatAgo } from '../format/text.ts';
import { t } from '../language/language.ts';
import { toastFailure, toastLasting } from '../overlays/toast-queue.ts';
import { LastChangesDocument } from './documents.generated.ts';
import { describeAction, describeChange } from './feed.ts';

/** Among so many changes of everybody, one's own is looked for. */
const changesMax = 50;
/** An older change is not undone before the user has read what it was. */
const recentMs = 10 * 60_000;

/**
 * Undoes the user's last own change of the catalog, and says what it was; asks first if it is large or old, or if nobody
 * knows whether the undo before was done: the same key pressed again must not undo the next change unseen.
 */
export async function undoLast(
  client: Client,
  own: string,
  undo: (changeId: string) => Promise<boolean>,
): Promise<void> {
  const variables = { first: changesMax, imports: false };
  const { data, error } = await client.query(LastChangesDocument, variables, { requestPolicy: 'network-only' });
  if (error !== undefined || data === undefined) {
    toastFailure(error === undefined ? t('history.changesUnreadable') : describeError(error, t('api.unreachable')));
    return;
  }
  const last = data.lastChanges.find(({ actor, isUndone, action }) => actor === own && !isUndone && action !== 'UNDO');
  if (last === undefined) {
    toastLasting(t('history.noneOfYours'), {});
    return;
  }
  const what = t('history.youDid', {
    did: describeAction(last.action, describeChange(last)),
    ago: formatAgo(last.at),
  });
  const isSmall = last.programs + last.branches === 1 && Date.now() - Date.parse(last.at) < recentMs;
  if (!isSmall || !isLastUndoKnown())
    toastLasting(what, { action: { label: t('history.undoIt'), run: () => void undo(last.changeId) } });
  else if (await undo(last.changeId)) toastLasting(t('history.undoneSo', { what }), {});
}
