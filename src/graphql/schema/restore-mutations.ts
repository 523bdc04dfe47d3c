import { identifier, notFound } from '../../academics/identifier.ts';
import { recordChange } from '../../database/audit.ts';
import { restoreBranchesOf } from '../../database/catalog/branches-of-program.ts';
import { databaseNow } from '../../database/connection/clock.ts';
import type { Transaction } from '../../database/connection/types.ts';
import { ServiceError } from '../../errors.ts';
import type { Branch, Program } from '../../generated/prisma/client.ts';
import { affectedProgramOfBranch, auditSnapshotOfBranch } from './branch-mutations.ts';
import { builder } from './builder.ts';
import { affectedProgram, auditSnapshotOfProgram } from './program-mutations.ts';
import { withInput } from './with-input.ts';

/** Locks and reads a program, deleted or not. */
async function lockAnyProgram(tx: Transaction, id: number): Promise<Program> {
  await tx.$queryRaw`SELECT 1 FROM programs WHERE id = ${id} FOR UPDATE`;
  const program = await tx.program.findUnique({ where: { id } });
  if (program === null) throw notFound('Program', id);
  return program;
}

/** Locks and reads a branch, deleted or not, and its program, so that that is not deleted concurrently. */
async function lockAnyBranch(tx: Transaction, id: number): Promise<Branch & { readonly program: Program }> {
  await tx.$queryRaw`SELECT 1 FROM programs JOIN branches ON branches.program_id = programs.id
    WHERE branches.id = ${id} FOR SHARE OF programs FOR UPDATE OF branches`;
  const branch = await tx.branch.findUnique({ where: { id }, include: { program: true } });
  if (branch === null) throw notFound('Branch', id);
  return branch;
}

builder.mutationField('restoreProgram', (t) =>
  t.field({
    type: 'Program',
    description:
      'Restores a deleted program and the branches deleted with it, but not those deleted before. No effect if it is not deleted.',
    access: 'programs:write',
    args: { id: t.arg.int({ required: true, description: 'Identifier of the program.' }) },
    ...withInput(identifier, ({ id }, context) =>
      context.write(affectedProgram, async (tx, actor) => {
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
    ),
  }),
);

builder.mutationField('restoreBranch', (t) =>
  t.field({
    type: 'Branch',
    description:
      'Restores a deleted branch. No effect if it is not deleted. Fails with `CONFLICT` if its program is deleted.',
    access: 'programs:write',
    args: { id: t.arg.int({ required: true, description: 'Identifier of the branch.' }) },
    ...withInput(identifier, ({ id }, context) =>
      context.write(affectedProgramOfBranch, async (tx, actor) => {
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
    ),
  }),
);
