import { useMutation } from 'urql';
import { named, toastOutcome } from '../components/toast-queue.ts';
import { DeleteBranchDocument, RestoreBranchDocument } from './documents.generated.ts';

/** Deletes a branch at once, with a message that can undo it. Resolves to whether it is deleted. */
export function useDeleteBranch(): (branch: { readonly id: number; readonly name: string }) => Promise<boolean> {
  const [, remove] = useMutation(DeleteBranchDocument);
  const [, restore] = useMutation(RestoreBranchDocument);
  return async ({ id, name }) => {
    const undo = async (): Promise<void> => {
      const { error } = await restore({ id });
      toastOutcome(error, named`${name} is back.`);
    };
    const { error } = await remove({ id });
    return toastOutcome(error, named`${name} was deleted.`, { label: 'Undo', run: () => void undo() });
  };
}
