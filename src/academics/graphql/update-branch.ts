import { z } from 'zod';
import { recordChange } from '../../accounts/audit/audit.ts';
import type { WriteContext } from '../../context.ts';
import { databaseNow } from '../../database/clock.ts';
import type { Branch } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { withInput } from '../../graphql/with-input.ts';
import { identifier, notFound } from '../../validation/identifier.ts';
import { differing } from '../../validation/optional.ts';
import { branchChanges } from '../rules/branch.ts';
import { expectedVersion, requireVersion } from '../rules/version.ts';
import { yearsOf } from '../rules/year-codes.ts';
import { auditSnapshotOfBranch } from '../sql/audit-snapshots.ts';
import { replaceYears } from '../sql/branch-years.ts';
import { changedBranches } from '../sql/dependencies.ts';
import { lockBranch, lockParent } from '../sql/locks.ts';
import { branchFields } from './branch-mutations.ts';

const UpdateBranchInput = builder.inputType('UpdateBranchInput', {
  description:
    'Changes to a branch. Fields that are absent or `null` stay unchanged. Year codes are computed again; years that remain keep their ids.',
  fields: (t) => ({
    programId: t.int({ description: 'Identifier of the program to move the branch to.' }),
    name: t.string({ description: branchFields.name }),
    years: t.int({ description: `${branchFields.years} Years beyond it are removed, missing ones are added.` }),
    codePrefix: t.string({ description: branchFields.codePrefix }),
    codeIsNumeric: t.boolean({ description: branchFields.codeIsNumeric }),
    description: t.string({ description: branchFields.description }),
    expectedVersion: t.int({
      description: 'Update only if the branch has this version; otherwise fail with `CONFLICT`.',
    }),
  }),
});

const branchUpdate = z.object({ ...identifier.shape, ...branchChanges.shape, expectedVersion });

/** A branch before and after an update; it may have moved from one program to another. */
interface Updated {
  readonly before: Branch;
  readonly after: Branch;
}

async function updateBranch(
  { id, expectedVersion, ...fields }: z.output<typeof branchUpdate>,
  { tx, actor }: WriteContext,
): Promise<Updated> {
  const { programId } = fields;
  // Before the branch: the deletion of a program locks in this order too.
  const targetExists = programId === undefined || (await lockParent(tx, programId));
  const before = await lockBranch(tx, id);
  const snapshot = { ...auditSnapshotOfBranch(before), years: before._count.years };
  requireVersion('Branch', before, expectedVersion, snapshot);
  if (programId !== undefined && !targetExists) throw notFound('Program', programId);
  const changes = differing(snapshot, fields);
  if (Object.keys(changes).length === 0) return { before, after: before };
  const { years = snapshot.years, ...columns } = changes;
  const after = await tx.branch.update({
    where: { id },
    data: { ...columns, version: { increment: 1 }, updatedAt: await databaseNow(tx) },
  });
  if ('years' in changes || 'codePrefix' in changes || 'codeIsNumeric' in changes) {
    await replaceYears(tx, id, yearsOf(years, after.codePrefix, after.codeIsNumeric));
  }
  await recordChange(tx, actor, {
    action: 'update',
    subject: 'Branch',
    subjectId: id,
    before: snapshot,
    after: { ...auditSnapshotOfBranch(after), years },
  });
  return { before, after };
}

builder.mutationField('updateBranch', (t) =>
  t.field({
    type: 'Branch',
    nullable: true,
    description: 'Updates a branch, and moves it to another program if one is given.',
    access: 'programs:write',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the branch.' }),
      input: t.arg({ type: UpdateBranchInput, required: true, description: 'The changes.' }),
    },
    ...withInput(branchUpdate, async (input, context) => {
      const affects = ({ before, after }: Updated) => changedBranches(before, after);
      const { after } = await context.transaction((inner) => updateBranch(input, inner), { affects });
      return after;
    }),
  }),
);
