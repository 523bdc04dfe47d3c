import { useNavigate, useRouter } from '@tanstack/react-router';
import { useMutation } from 'urql';
import { describeError } from '../api/errors.ts';
import { named, toast } from '../components/toast-queue.ts';
import { DeleteProgramDocument, RestoreProgramDocument } from './documents.generated.ts';

/** Deletes a program at once, with a message that can undo it. */
export function useDeleteProgram(): (program: { readonly id: number; readonly name: string }) => Promise<void> {
  const navigate = useNavigate();
  const router = useRouter();
  const [, remove] = useMutation(DeleteProgramDocument);
  const [, restore] = useMutation(RestoreProgramDocument);
  return async ({ id, name }) => {
    const { pathname } = router.state.location;
    const { error } = await remove({ id });
    if (error !== undefined) {
      toast(describeError(error));
      return;
    }
    // Somebody who has gone elsewhere meanwhile stays there.
    if (router.state.location.pathname === pathname) await navigate({ to: '/programs' });
    const undo = async (): Promise<void> => {
      const { error: failure } = await restore({ id });
      toast(failure === undefined ? named`${name} is back, with its branches.` : describeError(failure));
      if (failure === undefined) await navigate({ to: '/programs/$programId', params: { programId: id } });
    };
    toast(named`${name} was deleted, with its branches.`, { label: 'Undo', run: () => void undo() });
  };
}
