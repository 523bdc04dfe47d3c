import { z } from 'zod';
import { changeId } from '../../accounts/audit/audit.ts';
import { defineWrite } from '../../operations/operation.ts';
import { orDefault } from '../../validation/optional.ts';
import type { RecordKind } from '../kinds.ts';
import { replacedRetired } from '../rules/attributes.ts';
import { branchChanges } from '../rules/branch.ts';
import { programChanges } from '../rules/program.ts';
import { manyRecords } from '../rules/records.ts';
import { type UndoResult, undoEntries } from '../sql/writes/undo.ts';
import { type BulkResult, writeMany } from '../sql/writes/write-records.ts';
import { changeOf, judgedUpdate, successorsOf } from './change.ts';

const shared = {
  access: 'programs:write',
  writes: 'long',
  affects: ({ programIds }: BulkResult) => ({ ids: programIds, kinds: ['programs', 'branches'] }),
} as const;

export const updatePrograms = defineWrite({
  ...shared,
  name: 'updatePrograms',
  input: manyRecords.extend({ ...programChanges.shape, replaceRetired: replacedRetired }),
  run: async ({ ids, dryRun, fingerprint, replaceRetired, ...given }, writing) => {
    const { change, update } = await judgedUpdate(writing, 'Program', given);
    const successors = await successorsOf(writing, 'Program', replaceRetired);
    return writeMany(change, { kind: 'Program', ids, dryRun, fingerprint, action: { update, successors } });
  },
});

export const updateBranches = defineWrite({
  ...shared,
  name: 'updateBranches',
  input: manyRecords.extend({ ...branchChanges.shape, replaceRetired: replacedRetired }),
  run: async ({ ids, dryRun, fingerprint, replaceRetired, ...given }, writing) => {
    const { change, update } = await judgedUpdate(writing, 'Branch', given);
    const successors = await successorsOf(writing, 'Branch', replaceRetired);
    return writeMany(change, { kind: 'Branch', ids, dryRun, fingerprint, action: { update, successors } });
  },
});

const deletionOrRestoration = (name: string, kind: RecordKind, action: 'delete' | 'restore') =>
  defineWrite({
    ...shared,
    name,
    input: manyRecords,
    run: (given, writing) => writeMany(changeOf(writing), { kind, action, ...given }),
  });

export const deletePrograms = deletionOrRestoration('deletePrograms', 'Program', 'delete');
export const deleteBranches = deletionOrRestoration('deleteBranches', 'Branch', 'delete');
export const restorePrograms = deletionOrRestoration('restorePrograms', 'Program', 'restore');
export const restoreBranches = deletionOrRestoration('restoreBranches', 'Branch', 'restore');

export const undoChange = defineWrite({
  name: 'undoChange',
  access: 'programs:write',
  writes: 'long',
  input: z.object({ changeId, dryRun: orDefault(z.boolean(), false) }),
  affects: ({ changeId: own }: UndoResult) => (own === null ? 'nothing' : 'everything'),
  run: ({ changeId: id, dryRun }, writing) => undoEntries(changeOf(writing), id, dryRun),
});
