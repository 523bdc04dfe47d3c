import type { Client, CombinedError } from '@urql/core';
import {
  type BulkOutcomeFragment,
  DeleteBranchesDocument,
  DeleteProgramsDocument,
  RestoreBranchesDocument,
  RestoreProgramsDocument,
  UpdateBranchesDocument,
  type UpdateBranchesInput,
  UpdateProgramsDocument,
  type UpdateProgramsInput,
} from './documents.generated.ts';

/** A change of many records. */
export type BulkTask =
  | { readonly kind: 'PROGRAM'; readonly action: 'update'; readonly input: UpdateProgramsInput }
  | { readonly kind: 'BRANCH'; readonly action: 'update'; readonly input: UpdateBranchesInput }
  | { readonly kind: 'PROGRAM' | 'BRANCH'; readonly action: 'delete' | 'restore' };

interface Outcome {
  readonly outcome?: BulkOutcomeFragment | undefined;
  readonly error?: CombinedError | undefined;
}

/** Sends the task; with `dryRun` nothing changes. */
export async function sendBulk(
  client: Client,
  task: BulkTask,
  ids: readonly number[],
  dryRun: boolean,
): Promise<Outcome> {
  const variables = { ids: [...ids], dryRun };
  if (task.action === 'update') {
    if (task.kind === 'PROGRAM') {
      const { data, error } = await client.mutation(UpdateProgramsDocument, { ...variables, input: task.input });
      return { outcome: data?.updatePrograms ?? undefined, error };
    }
    const { data, error } = await client.mutation(UpdateBranchesDocument, { ...variables, input: task.input });
    return { outcome: data?.updateBranches ?? undefined, error };
  }
  const documents = {
    PROGRAM: { delete: DeleteProgramsDocument, restore: RestoreProgramsDocument },
    BRANCH: { delete: DeleteBranchesDocument, restore: RestoreBranchesDocument },
  } as const;
  const { data, error } = await client.mutation(documents[task.kind][task.action], variables);
  return { outcome: Object.values(data ?? {})[0] ?? undefined, error };
}
