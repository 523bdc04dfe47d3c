import { createElement } from 'react';
import { useClient } from 'urql';
import { useChangeGroups } from '../api/api.tsx';
import { codeOf, describeError, isDone } from '../api/errors.ts';
import { ownChange } from '../components/use-is-readable.ts';
import { t } from '../language/language.ts';
import { dismissUndoOf, toast, toastFailure, toastLasting, useToasts } from '../overlays/toast-queue.ts';
import { UndoChangeDocument, UndoneByDocument } from './documents.generated.ts';
import { describeUndone } from './nouns.ts';
import { ProblemRecords } from './problem-records.tsx';

/** Whether the last undo is known to have been done or not: its response may have been lost. */
let isLastKnown = true;
export const isLastUndoKnown = (): boolean => isLastKnown;

/** Takes away what offers to undo a change once that is undone elsewhere, such as in another tab. */
export function useUndoneElsewhere(): void {
  const client = useClient();
  const offered = useToasts().flatMap(({ action }) => action?.changeId ?? []);
  useChangeGroups(
    () => offered.length > 0,
    () => {
      for (const changeId of offered)
        void client
          .query(UndoneByDocument, { changeId }, { requestPolicy: 'network-only' })
          .then(
            ({ data }) =>
              data?.changeEntries.nodes.some(({ undoneBy }) => undoneBy !== null) && dismissUndoOf(changeId),
          );
    },
  );
}

/**
 * Undoes a change, and says so in these words, else by number; the records that stay as they are are listed, with the
 * reason. Returns whether something was undone.
 */
export function useUndo(): (changeId: string, words?: string) => Promise<boolean> {
  const client = useClient();
  return async (changeId, words) => {
    const { data, error } = await ownChange(client.mutation(UndoChangeDocument, { changeId }).toPromise(), (result) =>
      isDone(result.data),
    );
    isLastKnown = error === undefined || codeOf(error) !== 'NETWORK';
    if (!isDone(data)) {
      toastFailure(error === undefined ? t('bulk.notUndone') : describeError(error));
      return false;
    }
    dismissUndoOf(changeId);
    const { undone, left, leftCount } = data.undoChange;
    if (leftCount === 0) toast(words ?? describeUndone(undone, leftCount));
    else
      toastLasting(describeUndone(undone, leftCount), { details: createElement(ProblemRecords, { problems: left }) });
    return undone > 0;
  };
}
