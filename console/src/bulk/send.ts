import type { Client } from '@urql/core';
import type { RecordKind } from '../api/event-stream.ts';
import { keyed } from '../forms/use-draft.ts';
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
  | { readonly kind: RecordKind; readonly action: 'delete' | 'restore' };

const documents = {
  PROGRAM: { update: UpdateProgramsDocument, delete: DeleteProgramsDocument, restore: RestoreProgramsDocument },
  BRANCH: { update: UpdateBranchesDocument, delete: DeleteBranchesDocument, restore: RestoreBranchesDocument },
} as const;

/** What a dry run said. */
export interface Checked {
  readonly fingerprint: string | null;
  /** The idempotency key of its change: sent again, that has its first answer, which may have been lost. */
  readonly key: string;
}

/** Sends the task; with `dryRun` nothing changes, after one only what it said. */
export async function sendBulk(
  client: Client,
  { kind, action, ...given }: BulkTask,
  ids: readonly number[],
  dryRun: boolean,
  checked?: Checked,
) {
  const { data, error } = await client.mutation<Record<string, BulkOutcomeFragment | null>>(
    documents[kind][action],
    { ids, dryRun, fingerprint: checked?.fingerprint, ...given },
    checked && keyed(checked.key),
  );
  return { outcome: Object.values(data ?? {})[0] ?? undefined, error };
}
