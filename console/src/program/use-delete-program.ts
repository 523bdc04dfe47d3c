import { useMutation } from 'urql';
import { describeError } from '../api/errors.ts';
import { named, toast } from '../components/toast-queue.ts';
import { useLeaveAfter } from '../components/use-leave-after.ts';
import { DeleteProgramDocument, RestoreProgramDocument } from './documents.generated.ts';

/** Deletes a program at once, with a message that can undo it. */
export function useDeleteProgram(): (program: { readonly id: number; readonly name: string }) => Promise<void> {
  const leaveAfter = useLeaveAfter();
  const [, remove] = useMutation(DeleteProgramDocument);
  const [, restore] = useMutation(RestoreProgramDocument);
  return async ({ id, name }) => {
    const leave = leaveAfter();
    const { error } = await remove({ id });
    if (error !== undefined) {
      toast(describeError(error));
      return;
    }
    await leave({ to: '/programs' });
    const undo = async (): Promise<void> => {
      const comeBack = leaveAfter();
      const { error: failure } = await restore({ id });
      toast(failure === undefined ? named`${name} is back, with its branches.` : describeError(failure));
      if (failure === undefined) await comeBack({ to: '/programs/$programId', params: { programId: id } });
    };
    toast(named`${name} was deleted, with its branches.`, { label: 'Undo', run: () => void undo() });
  };
}
