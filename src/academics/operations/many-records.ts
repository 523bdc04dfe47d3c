import { z } from 'zod';
import { changeId } from '../../accounts/audit/audit.ts';
import { defineWrite } from '../../operations/operation.ts';
import { branchChanges } from '../rules/branch.ts';
import { programChanges } from '../rules/program.ts';
import { manyRecords } from '../rules/records.ts';
import type { RecordKind } from '../sql/writes/apply.ts';
import { undoChange as undo } from '../sql/writes/undo.ts';
import { type BulkResult, writeMany } from '../sql/writes/write-records.ts';

const shared = {
  access: 'programs:write',
  writes: 'long',
  affects: ({ programIds }: BulkResult) => ({ ids: programIds, kinds: ['programs', 'branches'] }),
} as const;

export const updatePrograms = defineWrite({
  ...shared,
  name: 'updatePrograms',
  input: manyRecords.extend(programChanges.shape),
  run: ({ ids, dryRun, fingerprint, ...update }, { tx, actor }) =>
    writeMany(tx, actor, { kind: 'Program', ids, dryRun, fingerprint, action: { update } }),
});

export const updateBranches = defineWrite({
  ...shared,
  name: 'updateBranches',
  input: manyRecords.extend(branchChanges.shape),
  run: ({ ids, dryRun, fingerprint, ...update }, { tx, actor }) =>
    writeMany(tx, actor, { kind: 'Branch', ids, dryRun, fingerprint, action: { update } }),
});

const deletionOrRestoration = (name: string, kind: RecordKind, action: 'delete' | 'restore') =>
  defineWrite({
    ...shared,
    name,
    input: manyRecords,
    run: (given, { tx, actor }) => writeMany(tx, actor, { kind, action, ...given }),
  });

export const deletePrograms = deletionOrRestoration('deletePrograms', 'Program', 'delete');
export const deleteBranches = deletionOrRestoration('deleteBranches', 'Branch', 'delete');
export const restorePrograms = deletionOrRestoration('restorePrograms', 'Program', 'restore');
export const restoreBranches = deletionOrRestoration('restoreBranches', 'Branch', 'restore');

export const undoChange = defineWrite({
  name: 'undoChange',
  access: 'programs:write',
  writes: 'long',
  input: z.object({ changeId }),
  affects: () => 'everything',
  run: ({ changeId: id }, { tx, actor }) => undo(tx, actor, id),
});
