import { useMutation } from 'urql';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { DeleteBranchDocument, RestoreBranchDocument } from './documents.generated.ts';

/** Deletes a branch, with a toast that can undo it. Resolves to whether it succeeded. */
export function useDeleteBranch(): (branch: { readonly id: number; readonly name: string }) => Promise<boolean> {
  const [, remove] = useMutation(DeleteBranchDocument);
  const [, restore] = useMutation(RestoreBranchDocument);
  return async ({ id, name }) => {
    const undo = async (): Promise<void> => {
      const { error } = await restore({ id });
      toastOutcome(error, toastText`${name} is back.`);
    };
    const { error } = await remove({ id });
    return toastOutcome(error, toastText`${name} was deleted.`, { label: 'Undo', run: () => void undo() });
  };
}
