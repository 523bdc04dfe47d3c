import type { z } from 'zod';
import { defineWrite, type Writing } from '../../operations/operation.ts';
import type { RecordKind } from '../kinds.ts';
import { type AttributeChanges, replacedRetired } from '../rules/attributes.ts';
import { branchChanges } from '../rules/branch.ts';
import { programChanges } from '../rules/program.ts';
import { manyRecords } from '../rules/records.ts';
import { type BulkResult, writeMany } from '../sql/writes/change-records.ts';
import { judgedUpdate, successorsOf, withoutRefusals } from './judged.ts';

const shared = {
  access: 'programs:write',
  transaction: 'long',
  affects: ({ programIds }: BulkResult) => ({ ids: programIds, kinds: ['programs', 'branches'] }),
} as const;

const manyUpdates = manyRecords.extend({ replaceRetired: replacedRetired });

type ManyUpdates = z.output<typeof manyUpdates> & {
  readonly attributes?: AttributeChanges | undefined;
  readonly programId?: number | undefined;
};

async function updateMany(
  writing: Writing,
  kind: RecordKind,
  { ids, dryRun, fingerprint, replaceRetired, ...input }: ManyUpdates,
): Promise<BulkResult> {
  const judging = { ...writing, dryRun };
  const { context, update } = await judgedUpdate(judging, kind, input);
  const successors = await successorsOf(judging, kind, replaceRetired);
  return writeMany(context, { kind, ids, dryRun, fingerprint, action: { update, successors } });
}

export const updatePrograms = defineWrite({
  ...shared,
  name: 'updatePrograms',
  input: manyUpdates.extend(programChanges.shape),
  run: (input, writing) => updateMany(writing, 'Program', input),
});

export const updateBranches = defineWrite({
  ...shared,
  name: 'updateBranches',
  input: manyUpdates.extend(branchChanges.shape),
  run: (input, writing) => updateMany(writing, 'Branch', input),
});

const deletionOrRestoration = (name: string, kind: RecordKind, action: 'delete' | 'restore') =>
  defineWrite({
    ...shared,
    name,
    input: manyRecords,
    run: (input, writing) => writeMany(withoutRefusals(writing), { kind, action, ...input }),
  });

export const deletePrograms = deletionOrRestoration('deletePrograms', 'Program', 'delete');
export const deleteBranches = deletionOrRestoration('deleteBranches', 'Branch', 'delete');
export const restorePrograms = deletionOrRestoration('restorePrograms', 'Program', 'restore');
export const restoreBranches = deletionOrRestoration('restoreBranches', 'Branch', 'restore');
