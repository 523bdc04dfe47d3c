import { createContext, createElement, type ReactNode, use } from 'react';
import { type Client, type OperationResult, useClient } from 'urql';
import { useChangeGroups } from '../api/api.tsx';
import { codeOf, describeError, isDone } from '../api/errors.ts';
import { ownChange } from '../forms/own-saves.ts';
import { ChangeEntriesDocument, type ChangeEntriesQuery } from '../history/documents.generated.ts';
import { t } from '../language/language.ts';
import { dismissUndoOf, toast, toastFailure, toastLasting, useToasts } from '../overlays/toast-queue.ts';
import { FirstEntryDocument, UndoChangeDocument } from './documents.generated.ts';
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
          .query(FirstEntryDocument, { changeId }, { requestPolicy: 'network-only' })
          .then(
            ({ data }) =>
              data?.changeEntries.nodes.some(({ undoneBy }) => undoneBy !== null) && dismissUndoOf(changeId),
          );
    },
  );
}

/**
 * Undoes a change, and says so in these words, else by number alone; the records that stay as they are are listed, with the
 * reason. Returns whether something was undone.
 */
export function useUndo(): (changeId: string, words?: string) => Promise<boolean> {
  const client = useClient();
  return async (changeId, words) => {
    const records = await recordsBefore(client, changeId);
    const undoing = client.mutation(UndoChangeDocument, { changeId }).toPromise();
    const { data, error } = await ownChange(records, undoing, (result) => {
      isLastKnown = result.error === undefined || codeOf(result.error) !== 'NETWORK';
      return isLastKnown ? isDone(result.data) : undefined;
    });
    if (!isDone(data)) {
      toastFailure(error === undefined ? t('bulk.notUndone') : describeError(error));
      return false;
    }
    dismissUndoOf(changeId);
    const { undone, left, leftCount } = data.undoChange;
    const counts = describeUndone(undone, leftCount);
    if (leftCount === 0) toast(words ?? counts);
    else
      toastLasting(words === undefined ? counts : `${words} ${counts}`, {
        details: createElement(ProblemRecords, { problems: left }),
      });
    return undone > 0;
  };
}

/** A change that a message or a list offers to undo. */
export interface OfferedUndo {
  readonly changeId: string;
  /** What it says. */
  readonly text: ReactNode;
  /** Called when the change is undone. */
  readonly undone?: (() => void) | undefined;
  /** Whether it is one of many: what the undo brings back is shown in any case. */
  readonly isListed?: boolean;
}

/** Undoes what was offered, after a question if it is listed, or the user has changed something since. */
export const UndoOffered = createContext<(offered: OfferedUndo) => void>(() => undefined);

/** Says what was done until somebody dismisses it, and offers to undo the change; `undone` is called after that. */
export function useOfferUndo() {
  const undoOffered = use(UndoOffered);
  return (text: ReactNode, changeId: string | null, undone?: () => void): void => {
    const undo = (id: string) => () => undoOffered({ changeId: id, text, undone });
    const action = changeId === null ? undefined : { label: t('common.undo'), run: undo(changeId), changeId };
    toastLasting(text, { action });
  };
}

const recordsMax = 1_000;

/** The first records of a change, with the values that its undo brings back. */
async function recordsBefore(client: Client, changeId: string) {
  const changes: NonNullable<ChangeEntriesQuery['changeEntries']['nodes'][number]['change']>[] = [];
  let after: string | null = null;
  do {
    const page: OperationResult<ChangeEntriesQuery> = await client
      .query(ChangeEntriesDocument, { changeId, after }, { requestPolicy: 'network-only' })
      .toPromise();
    const entries = page.data?.changeEntries;
    changes.push(...(entries?.nodes.flatMap(({ change }) => change ?? []) ?? []));
    after = entries?.pageInfo.hasNextPage === true ? entries.pageInfo.endCursor : null;
  } while (after !== null && changes.length < recordsMax);
  return changes.map(({ kind, recordId, fields }) => ({
    kind,
    recordId,
    fields: fields.map(({ field, before }) => ({ field, after: before })),
  }));
}
