import { ServiceError } from '@service/errors';
import type { z } from 'zod';
import type { Branch } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { withWarnings } from '../../graphql/warnings.ts';
import { withCreate, withWrite } from '../../graphql/with-input.ts';
import { identifier, notFound } from '../../validation/validate.ts';
import { newBranch } from '../rules/branch.ts';
import { newRecords } from '../rules/records.ts';
import { yearsOf } from '../rules/year-codes.ts';
import { changedBranches } from '../sql/dependencies.ts';
import { createBranch, createBranches } from '../sql/inserts.ts';
import { auditSnapshotOfBranch } from '../sql/writes/audit-snapshots.ts';
import { writeOne } from '../sql/writes/write-records.ts';
import { warnOfAlike } from './alike-records.ts';
import { CreateBranchInput } from './inputs.ts';

/** @throws ServiceError `NOT_FOUND` that names the first program that does not exist, and each of them by index. */
function requirePrograms(items: readonly Pick<Branch, 'programId'>[], existing: ReadonlySet<number>): void {
  const missing = items.flatMap(({ programId }, index) => (existing.has(programId) ? [] : [{ programId, index }]));
  const [first] = missing;
  if (first === undefined) return;
  const messageOf = (programId: number) => notFound('Program', programId).message;
  const errors = Object.fromEntries(
    missing.map(({ programId, index }) => [`items[${index}].programId`, [messageOf(programId)]]),
  );
  throw new ServiceError('NOT_FOUND', messageOf(first.programId), { errors });
}

/** The row of a new branch, and its snapshot for the audit log. */
function rowOf({ years, attributes = {}, ...others }: z.output<typeof newBranch>) {
  const fields = { ...others, attributes };
  const row = { ...fields, years: yearsOf(years, fields.codePrefix, fields.codeIsNumeric) };
  return { row, snapshot: { ...auditSnapshotOfBranch(fields), years } };
}

builder.mutationField('createBranch', (t) =>
  t.field({
    type: 'Branch',
    description: 'Creates a branch under an existing program, with its years.',
    access: 'user',
    failsWith: ['NOT_FOUND'],
    args: { input: t.arg({ type: CreateBranchInput, required: true, description: 'The new branch.' }) },
    // It waits for the lock of its program, which would hold up the rest of a group.
    ...withWarnings(
      withCreate(newBranch, { affects: changedBranches, groupable: false }, async (input, { tx, actor }) => {
        const branch = await createBranch(tx, { actor, ...rowOf(input) });
        if (branch === undefined) throw notFound('Program', input.programId);
        return branch;
      }),
      warnOfAlike,
    ),
  }),
);

builder.mutationField('createBranches', (t) =>
  t.field({
    type: ['Branch'],
    description:
      'Creates up to 100 branches, of one or more programs, with their years, all or none. Problems are reported by index, such as `items[3].name`.',
    access: 'user',
    failsWith: ['NOT_FOUND'],
    args: { items: t.arg({ type: [CreateBranchInput], required: true, description: 'The new branches.' }) },
    ...withWarnings(
      withCreate(
        newRecords(newBranch),
        { affects: (branches: readonly Branch[]) => changedBranches(...branches), groupable: false },
        async ({ items }, { tx, actor }) => {
          const branches = await createBranches(tx, actor, items.map(rowOf));
          requirePrograms(items, new Set(branches.map(({ programId }) => programId)));
          return branches;
        },
      ),
      warnOfAlike,
    ),
  }),
);

builder.mutationField('deleteBranch', (t) =>
  t.field({
    type: 'Branch',
    description: 'Deletes a branch. `restoreBranch` undoes it.',
    access: 'programs:write',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the branch.' }) },
    ...withWrite(identifier, changedBranches, async ({ id }, { tx, actor }) => {
      await writeOne(tx, actor, 'Branch', id, 'delete');
      return tx.branch.findUniqueOrThrow({ where: { id } });
    }),
  }),
);

builder.mutationField('restoreBranch', (t) =>
  t.field({
    type: 'Branch',
    description:
      'Restores a deleted branch. No effect if it is not deleted. Fails with `CONFLICT` if its program is deleted.',
    access: 'programs:write',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the branch.' }) },
    ...withWrite(identifier, changedBranches, async ({ id }, { tx, actor }) => {
      await writeOne(tx, actor, 'Branch', id, 'restore');
      return tx.branch.findUniqueOrThrow({ where: { id } });
    }),
  }),
);
