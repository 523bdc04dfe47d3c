import { useMutation } from 'urql';
import { isDone } from '../api/errors.ts';
import { toast, toastOutcome, toastText } from '../components/toast-queue.ts';
import { pluralize } from '../format/text.ts';
import { UndoOneChangeDocument } from './documents.generated.ts';

/** Undoes a change, and says how many records stay as they are. */
export function useUndo(): (changeId: string) => Promise<void> {
  const [, undo] = useMutation(UndoOneChangeDocument);
  return async (changeId) => {
    const { data, error } = await undo({ changeId });
    if (!isDone(data)) {
      toastOutcome(error, toastText`Nothing was undone.`);
      return;
    }
    const { undone, leftCount } = data.undoChange;
    const left = leftCount === 0 ? '' : ` ${pluralize(leftCount, 'record')} changed since, and left as they are.`;
    toast(`Undone: ${pluralize(undone, 'record')}.${left}`);
  };
}
