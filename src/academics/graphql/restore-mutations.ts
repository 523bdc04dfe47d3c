import { ServiceError } from '@service/errors';
import { recordChange } from '../../accounts/audit/audit.ts';
import { databaseNow } from '../../database/clock.ts';
import { builder } from '../../graphql/builder.ts';
import { withWrite } from '../../graphql/with-input.ts';
import { identifier } from '../../validation/identifier.ts';
import { auditSnapshotOfBranch, auditSnapshotOfProgram } from '../sql/audit-snapshots.ts';
import { restoreBranchesOf } from '../sql/branches-of-program.ts';
import { changedBranches, changedWithBranches } from '../sql/dependencies.ts';
import { lockAnyBranch, lockAnyProgram } from '../sql/locks.ts';

builder.mutationField('restoreProgram', (t) =>
  t.field({
    type: 'Program',
    description:
      'Restores a deleted program and the branches deleted with it, but not those deleted before. No effect if it is not deleted.',
    access: 'programs:write',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the program.' }) },
    ...withWrite(identifier, changedWithBranches, async ({ id }, { tx, actor }) => {
      const before = await lockAnyProgram(tx, id);
      if (before.deletedAt === null) return before;
      const updatedAt = await databaseNow(tx);
      const restored = { deletedAt: null, updatedAt, version: { increment: 1 } };
      const program = await tx.program.update({ where: { id }, data: restored });
      await restoreBranchesOf(tx, actor, id, updatedAt);
      const after = auditSnapshotOfProgram(program);
      await recordChange(tx, actor, { action: 'restore', subject: 'Program', subjectId: id, after });
      return program;
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
      const before = await lockAnyBranch(tx, id);
      if (before.deletedAt === null) return before;
      if (before.program.deletedAt !== null) {
        throw new ServiceError('CONFLICT', `Program ${before.programId} is deleted: restore it first.`);
      }
      const branch = await tx.branch.update({
        where: { id },
        data: {
          deletedAt: null,
          deletedWithProgram: false,
          updatedAt: await databaseNow(tx),
          version: { increment: 1 },
        },
      });
      const after = auditSnapshotOfBranch(branch);
      await recordChange(tx, actor, { action: 'restore', subject: 'Branch', subjectId: id, after });
      return branch;
    }),
  }),
);
