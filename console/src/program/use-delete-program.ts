import { useMutation } from 'urql';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { useLeaveAfter } from '../components/use-leave-after.ts';
import { lastSearch } from '../programs/last-search.ts';
import { DeleteProgramDocument, RestoreProgramDocument } from './documents.generated.ts';

/** Deletes a program, with a toast that can undo it. */
export function useDeleteProgram(): (program: { readonly id: number; readonly name: string }) => Promise<void> {
  const leaveAfter = useLeaveAfter();
  const [, remove] = useMutation(DeleteProgramDocument);
  const [, restore] = useMutation(RestoreProgramDocument);
  return async ({ id, name }) => {
    const leave = leaveAfter();
    const undo = async (): Promise<void> => {
      const comeBack = leaveAfter();
      const { error } = await restore({ id });
      const isBack = toastOutcome(error, toastText`${name} is back, with its branches.`);
      if (isBack) await comeBack({ to: '/programs/$programId', params: { programId: id } });
    };
    const { error } = await remove({ id });
    if (error === undefined) await leave({ to: '/programs', search: lastSearch() });
    toastOutcome(error, toastText`${name} was deleted, with its branches.`, { label: 'Undo', run: () => void undo() });
  };
}
