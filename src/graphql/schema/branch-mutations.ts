import { z } from 'zod';
import { branchChanges, newBranch } from '../../academics/branch.ts';
import { identifier, notFound } from '../../academics/identifier.ts';
import { differing } from '../../academics/optional.ts';
import { expectedVersion, requireVersion } from '../../academics/version.ts';
import { yearsOf } from '../../academics/year-codes.ts';
import { recordChange } from '../../database/audit.ts';
import { createBranch, type NewBranch } from '../../database/catalog/inserts.ts';
import { lockBranch } from '../../database/catalog/locks.ts';
import { databaseNow } from '../../database/connection/clock.ts';
import type { Branch } from '../../generated/prisma/client.ts';
import { builder } from './builder.ts';
import { withCreate, withWrite } from './with-input.ts';

const nameDescription = 'Name of the branch: one line, 1 to 255 characters.';
const descriptionDescription = 'Description of the branch: any number of lines, at most 2,000 characters.';

const CreateBranchInput = builder.inputType('CreateBranchInput', {
  description: 'A new branch of an existing program, with its years.',
  fields: (t) => ({
    programId: t.int({ required: true, description: 'Identifier of the program that the branch belongs to.' }),
    name: t.string({ required: true, description: nameDescription }),
    years: t.int({ required: true, description: 'Number of years of the branch, 1 to 10.' }),
    codePrefix: t.string({
      description: 'Prefix of the year codes, at most 20 characters. Empty when absent.',
    }),
    codeIsNumeric: t.boolean({
      description: 'Whether year codes end in a number (`L1`) rather than a letter (`LA`). True when absent.',
    }),
    description: t.string({ description: `${descriptionDescription} Empty when absent.` }),
  }),
});

const UpdateBranchInput = builder.inputType('UpdateBranchInput', {
  description: 'Changes to a branch. Fields that are absent or `null` stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: nameDescription }),
    description: t.string({ description: descriptionDescription }),
    expectedVersion: t.int({
      description: 'Update only if the branch has this version; otherwise fail with `CONFLICT`.',
    }),
  }),
});

/** The fields of a branch in the audit log. */
export const auditSnapshotOfBranch = ({ programId, name, description, codePrefix, codeIsNumeric }: NewBranch) => ({
  programId,
  name,
  description,
  codePrefix,
  codeIsNumeric,
});

/** The programs that a write to a branch invalidates. */
export const affectedProgramOfBranch = ({ programId }: Branch) => [programId];

/** The input of `updateBranch`. */
const branchUpdate = z.object({ ...identifier.shape, ...branchChanges.shape, expectedVersion });

builder.mutationField('createBranch', (t) =>
  t.field({
    type: 'Branch',
    description: 'Creates a branch under an existing program, with its years.',
    access: 'user',
    args: { input: t.arg({ type: CreateBranchInput, required: true, description: 'The new branch.' }) },
    // It waits for the lock of its program, which would hold up the rest of a group.
    ...withCreate(newBranch, { affects: affectedProgramOfBranch, groupable: false }, async (input, { tx, actor }) => {
      const { years, ...fields } = input;
      const snapshot = { ...auditSnapshotOfBranch(fields), years };
      const row = { ...fields, years: yearsOf(years, fields.codePrefix, fields.codeIsNumeric) };
      const branch = await createBranch(tx, { actor, row, snapshot });
      if (branch === undefined) throw notFound('Program', fields.programId);
      return branch;
    }),
  }),
);

builder.mutationField('updateBranch', (t) =>
  t.field({
    type: 'Branch',
    description: 'Updates a branch.',
    access: 'programs:write',
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the branch.' }),
      input: t.arg({ type: UpdateBranchInput, required: true, description: 'The changes.' }),
    },
    ...withWrite(branchUpdate, affectedProgramOfBranch, async (input, { tx, actor }) => {
      const before = await lockBranch(tx, input.id);
      requireVersion('Branch', before, input.expectedVersion, auditSnapshotOfBranch(before));
      const changes = differing(before, { name: input.name, description: input.description });
      if (Object.keys(changes).length === 0) return before;
      const after = await tx.branch.update({
        where: { id: input.id },
        data: { ...changes, version: { increment: 1 }, updatedAt: await databaseNow(tx) },
      });
      await recordChange(tx, actor, {
        action: 'update',
        subject: 'Branch',
        subjectId: input.id,
        before: auditSnapshotOfBranch(before),
        after: auditSnapshotOfBranch(after),
      });
      return after;
    }),
  }),
);

builder.mutationField('deleteBranch', (t) =>
  t.field({
    type: 'Branch',
    description: 'Deletes a branch. `restoreBranch` undoes it.',
    access: 'programs:write',
    args: { id: t.arg.int({ required: true, description: 'Identifier of the branch.' }) },
    ...withWrite(identifier, affectedProgramOfBranch, async ({ id }, { tx, actor }) => {
      const before = await lockBranch(tx, id);
      const branch = await tx.branch.update({ where: { id }, data: { deletedAt: await databaseNow(tx) } });
      await recordChange(tx, actor, {
        action: 'delete',
        subject: 'Branch',
        subjectId: id,
        before: auditSnapshotOfBranch(before),
      });
      return branch;
    }),
  }),
);
