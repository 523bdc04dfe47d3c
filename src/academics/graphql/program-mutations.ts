import { z } from 'zod';
import type { RawWriteContext, RequestContext, WriteContext } from '../../context.ts';
import type { Program } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { withWarnings } from '../../graphql/warnings.ts';
import { withCreate, withWrite } from '../../graphql/with-input.ts';
import { identifier, notFound } from '../../validation/validate.ts';
import { newProgram, programChanges, programCopy } from '../rules/program.ts';
import { newRecords } from '../rules/records.ts';
import { expectedVersion, requireVersion } from '../rules/version.ts';
import { changedPrograms, changedWithBranches } from '../sql/dependencies.ts';
import { createProgram } from '../sql/inserts.ts';
import { lockPrograms } from '../sql/locks.ts';
import { hasBranches } from '../sql/records.ts';
import { auditSnapshotOfProgram } from '../sql/writes/audit-snapshots.ts';
import { copyProgram } from '../sql/writes/copy-program.ts';
import { writeOne } from '../sql/writes/write-records.ts';
import { warnOfAlike } from './alike-records.ts';
import { CopyProgramInput, CreateProgramInput, UpdateProgramInput } from './inputs.ts';

function insertProgram(
  { attributes = {}, ...fields }: z.output<typeof newProgram>,
  { tx, actor }: RawWriteContext,
): Promise<Program> {
  const row = { ...fields, attributes };
  return createProgram(tx, { actor, row, snapshot: auditSnapshotOfProgram(row) });
}

const programUpdate = z.object({ ...identifier.shape, ...programChanges.shape, expectedVersion });

/** A program with more may take longer than the statements of most requests have. */
const manyBranches = 1_000;

const hasManyBranches = ({ id }: z.output<typeof identifier>, { db }: RequestContext): Promise<boolean> =>
  hasBranches(db, id, manyBranches);

builder.mutationField('createProgram', (t) =>
  t.field({
    type: 'Program',
    description: 'Creates a program.',
    access: 'programs:write',
    args: { input: t.arg({ type: CreateProgramInput, required: true, description: 'The new program.' }) },
    ...withWarnings(withCreate(newProgram, { affects: changedPrograms, groupable: true }, insertProgram), warnOfAlike),
  }),
);

builder.mutationField('createPrograms', (t) =>
  t.field({
    type: ['Program'],
    description: 'Creates up to 100 programs, all or none. Problems are reported by index, such as `items[3].name`.',
    access: 'programs:write',
    args: { items: t.arg({ type: [CreateProgramInput], required: true, description: 'The new programs.' }) },
    // Grouped with others in one commit, they could exceed the events that subscribers receive individually.
    ...withWarnings(
      withCreate(
        newRecords(newProgram),
        { affects: (programs: readonly Program[]) => changedPrograms(...programs), groupable: false },
        ({ items }, context) => Promise.all(items.map((item) => insertProgram(item, context))),
      ),
      warnOfAlike,
    ),
  }),
);

builder.mutationField('updateProgram', (t) =>
  t.field({
    type: 'Program',
    description: 'Updates a program.',
    access: 'programs:write',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the program.' }),
      input: t.arg({ type: UpdateProgramInput, required: true, description: 'The changes.' }),
    },
    ...withWarnings(withWrite(programUpdate, changedPrograms, updateProgram), warnOfAlike),
  }),
);

async function updateProgram(
  { id, expectedVersion, ...update }: z.output<typeof programUpdate>,
  { tx, actor }: WriteContext,
): Promise<Program> {
  if (expectedVersion !== undefined) {
    await lockPrograms(tx, [id], 'FOR NO KEY UPDATE');
    const before = await tx.program.findUnique({ where: { id, deletedAt: null } });
    if (before !== null) requireVersion('Program', before, expectedVersion, auditSnapshotOfProgram(before));
  }
  await writeOne(tx, actor, 'Program', id, { update });
  return tx.program.findUniqueOrThrow({ where: { id } });
}

builder.mutationField('copyProgram', (t) =>
  t.field({
    type: 'Program',
    description:
      'Creates a program as another one, with its attributes, and with branches as those of the other, with their years and attributes. It is one change, which `undoChange` undoes.',
    access: 'programs:write',
    failsWith: ['NOT_FOUND'],
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the program to copy.' }),
      input: t.arg({ type: CopyProgramInput, required: true, description: 'What the copy has instead.' }),
    },
    ...withWarnings(
      withWrite(
        z.object({ ...identifier.shape, ...programCopy.shape }),
        changedWithBranches,
        async ({ id, keepBranchCodes, ...fields }, { tx, actor }) => {
          const copy = await copyProgram(tx, actor, { id, fields, keepBranchCodes });
          if (copy === undefined) throw notFound('Program', id);
          return copy;
        },
        hasManyBranches,
      ),
      warnOfAlike,
    ),
  }),
);

builder.mutationField('deleteProgram', (t) =>
  t.field({
    type: 'Program',
    description: 'Deletes a program and its branches. `restoreProgram` undoes it.',
    access: 'programs:write',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the program.' }) },
    ...withWrite(
      identifier,
      changedWithBranches,
      async ({ id }, { tx, actor }) => {
        await writeOne(tx, actor, 'Program', id, 'delete');
        return tx.program.findUniqueOrThrow({ where: { id } });
      },
      hasManyBranches,
    ),
  }),
);

builder.mutationField('restoreProgram', (t) =>
  t.field({
    type: 'Program',
    description:
      'Restores a deleted program and the branches deleted with it, but not those deleted before. No effect if it is not deleted.',
    access: 'programs:write',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the program.' }) },
    ...withWrite(
      identifier,
      changedWithBranches,
      async ({ id }, { tx, actor }) => {
        await writeOne(tx, actor, 'Program', id, 'restore');
        return tx.program.findUniqueOrThrow({ where: { id } });
      },
      hasManyBranches,
    ),
  }),
);
