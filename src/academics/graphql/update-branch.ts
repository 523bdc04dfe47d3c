import { z } from 'zod';
import type { WriteContext } from '../../context.ts';
import type { Branch } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { withWarnings } from '../../graphql/warnings.ts';
import { withInput } from '../../graphql/with-input.ts';
import { identifier } from '../../validation/validate.ts';
import { branchChanges } from '../rules/branch.ts';
import { expectedVersion, requireVersion } from '../rules/version.ts';
import { lockBranches, lockParent } from '../sql/locks.ts';
import { auditSnapshotOfBranch } from '../sql/writes/audit-snapshots.ts';
import { writeOne } from '../sql/writes/write-records.ts';
import { warnOfAlike } from './alike-records.ts';
import { UpdateBranchInput } from './inputs.ts';

const branchUpdate = z.object({ ...identifier.shape, ...branchChanges.shape, expectedVersion });

interface Updated {
  readonly branch: Branch;
  /** Two when it has moved. */
  readonly programIds: readonly number[];
}

async function updateBranch(
  { id, expectedVersion, ...update }: z.output<typeof branchUpdate>,
  { tx, actor }: WriteContext,
): Promise<Updated> {
  if (expectedVersion !== undefined) {
    if (update.programId !== undefined) await lockParent(tx, update.programId);
    await lockBranches(tx, 'id', [id]);
    const before = await tx.branch.findUnique({
      where: { id, deletedAt: null },
      include: { _count: { select: { years: true } } },
    });
    if (before !== null) {
      const { years } = before._count;
      requireVersion('Branch', before, expectedVersion, { ...auditSnapshotOfBranch(before), years });
    }
  }
  const programIds = await writeOne(tx, actor, 'Branch', id, { update });
  return { branch: await tx.branch.findUniqueOrThrow({ where: { id } }), programIds };
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
    ...withWarnings(
      withInput(branchUpdate, async (input, context) => {
        const affects = ({ programIds }: Updated) => ({ ids: programIds, kinds: ['branches'] });
        const { branch } = await context.transaction(updateBranch, input, { affects });
        return branch;
      }),
      warnOfAlike,
    ),
  }),
);
