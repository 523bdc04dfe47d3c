import { useNavigate, useRouter } from '@tanstack/react-router';
import { useClient } from 'urql';
import { describeError, isDone } from '../api/errors.ts';
import { toastFailure, toastLasting } from '../components/toast-queue.ts';
import { UndoChangeDocument } from './documents.generated.ts';
import { describeUndone, namedProblems } from './words.ts';

/** Undoes a change, and lists the records that stay as they are, with the reason. Returns whether something was undone. */
export function useUndo(): (changeId: string) => Promise<boolean> {
  const client = useClient();
  const navigate = useNavigate();
  const { basepath } = useRouter();
  return async (changeId) => {
    const { data, error } = await client.mutation(UndoChangeDocument, { changeId });
    if (!isDone(data)) {
      toastFailure(error === undefined ? 'The change was not undone. Try again.' : describeError(error));
      return false;
    }
    const { undone, left, leftCount } = data.undoChange;
    toastLasting(describeUndone(undone, leftCount), {
      records: namedProblems(left).map(({ kind, id, name, message }) => {
        const to = kind === 'PROGRAM' ? `/programs/${id}` : `/branches/${id}`;
        return { name, about: message, href: `${basepath}${to}`, open: () => void navigate({ to }) };
      }),
    });
    return undone > 0;
  };
}
