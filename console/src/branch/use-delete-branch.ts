import { useMutation } from 'urql';
import { describeError } from '../api/errors.ts';
import { named, toast } from '../components/toast-queue.ts';
import { DeleteBranchDocument, RestoreBranchDocument } from './documents.generated.ts';

/** Deletes a branch at once, with a message that can undo it. Resolves to whether it is deleted. */
export function useDeleteBranch(): (branch: { readonly id: number; readonly name: string }) => Promise<boolean> {
  const [, remove] = useMutation(DeleteBranchDocument);
  const [, restore] = useMutation(RestoreBranchDocument);
  return async ({ id, name }) => {
    const { error } = await remove({ id });
    if (error !== undefined) {
      toast(describeError(error));
      return false;
    }
    const undo = async (): Promise<void> => {
      const { error: failure } = await restore({ id });
      toast(failure === undefined ? named`${name} is back.` : describeError(failure));
    };
    toast(named`${name} was deleted.`, { label: 'Undo', run: () => void undo() });
    return true;
  };
}
