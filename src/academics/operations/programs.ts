import { z } from 'zod';
import type { Program } from '../../generated/prisma/client.ts';
import { defineRead, defineWrite, type TransactionKind, type Writing } from '../../operations/operation.ts';
import type { Reading } from '../../operations/request.ts';
import { identifier, notFound } from '../../validation/validate.ts';
import { programFields } from '../kinds.ts';
import { newProgram, programChanges, programCopy } from '../rules/program.ts';
import { newRecords } from '../rules/records.ts';
import { expectedVersion, requireVersion } from '../rules/version.ts';
import { changedPrograms, changedWithBranches } from '../sql/dependencies.ts';
import { lockPrograms } from '../sql/locks.ts';
import { existing, hasBranches, programsById } from '../sql/records.ts';
import { writeOne } from '../sql/writes/change-records.ts';
import { writeCopy } from '../sql/writes/copy-program.ts';
import { createRecords } from '../sql/writes/create-records.ts';
import { insertProgram } from '../sql/writes/insert-program.ts';
import { alikePrograms } from './alike-records.ts';
import { recordAsJson } from './as-json.ts';
import {
  judgedItems,
  judgedNew,
  judgedUpdate,
  problemsOfItems,
  problemsOfNew,
  setsChoices,
  withoutRefusals,
} from './judged.ts';

export const readProgram = defineRead({
  name: 'program',
  access: 'programs:read',
  scope: 'records',
  input: identifier,
  run: async ({ id }, { loaders }) => {
    const program = existing(await loaders.program.load(id));
    if (program === undefined) throw notFound('Program', id);
    return program;
  },
  json: recordAsJson('Program'),
});

export const createProgram = defineWrite({
  name: 'createProgram',
  access: 'programs:write',
  transaction: 'grouped',
  // What holds a definition waits for an administrator who changes it.
  transactionFor: async (input, reading) => ((await setsChoices(reading, 'Program', input)) ? 'short' : 'grouped'),
  input: newProgram,
  rejects: (input, reading) => problemsOfNew(reading, 'Program', input),
  affects: (program: Program) => changedPrograms(program),
  run: async (input, writing) => {
    const row = await judgedNew(writing, 'Program', input);
    return insertProgram(writing.tx, { actor: writing.actor, row });
  },
  warn: (program, input, reading) => alikePrograms([program], input, reading),
});

export const createPrograms = defineWrite({
  name: 'createPrograms',
  access: 'programs:write',
  transaction: 'short',
  input: newRecords(newProgram),
  rejects: ({ items }, reading) => problemsOfItems(reading, 'Program', items),
  affects: (programs: readonly Program[]) => changedPrograms(...programs),
  run: async ({ items }, writing) => {
    const records = await judgedItems(writing, 'Program', items);
    return createRecords(withoutRefusals(writing), 'Program', records, { areItems: true });
  },
  warn: (programs, { items }, reading) => alikePrograms(programs, items, reading),
});

/** A program after a write, deleted or not. */
async function readAnyProgram(id: number, { tx }: Writing): Promise<Program> {
  const [program] = await programsById(tx, [id]);
  if (program === undefined) throw notFound('Program', id);
  return program;
}

export const updateProgram = defineWrite({
  name: 'updateProgram',
  access: 'programs:write',
  transaction: 'short',
  input: z.object({ ...identifier.shape, ...programChanges.shape, expectedVersion }),
  affects: (program: Program) => changedPrograms(program),
  run: async ({ id, expectedVersion, ...update }, writing) => {
    const { tx } = writing;
    if (expectedVersion !== undefined) {
      await lockPrograms(tx, [id]);
      const before = existing((await programsById(tx, [id]))[0]);
      if (before !== undefined) requireVersion('Program', before, expectedVersion, programFields.parse(before));
    }
    const judged = await judgedUpdate(writing, 'Program', update);
    await writeOne(judged.context, 'Program', id, judged);
    return readAnyProgram(id, writing);
  },
  warn: (program, input, reading) => alikePrograms([program], input, reading),
});

/** A program with more may take longer than the statements of most requests have. */
const manyBranches = 1_000;

const byBranches = async ({ id }: { readonly id: number }, { db }: Reading): Promise<TransactionKind> =>
  (await hasBranches(db, id, manyBranches)) ? 'long' : 'short';

export const copyProgram = defineWrite({
  name: 'copyProgram',
  access: 'programs:write',
  transaction: 'long',
  transactionFor: (input, reading) => byBranches(input, reading),
  input: z.object({ ...identifier.shape, ...programCopy.shape }),
  affects: (program: Program) => changedWithBranches(program),
  run: ({ id, keepBranchCodes, ...fields }, writing) =>
    writeCopy(withoutRefusals(writing), { id, fields, keepBranchCodes }),
  warn: (program, input, reading) => alikePrograms([program], input, reading),
});

const deletesOrRestores = (name: string, change: 'delete' | 'restore') =>
  defineWrite({
    name,
    access: 'programs:write',
    transaction: 'long',
    transactionFor: (input, reading) => byBranches(input, reading),
    input: identifier,
    affects: (program: Program) => changedWithBranches(program),
    run: async ({ id }, writing) => {
      await writeOne(withoutRefusals(writing), 'Program', id, change);
      return readAnyProgram(id, writing);
    },
  });

export const deleteProgram = deletesOrRestores('deleteProgram', 'delete');
export const restoreProgram = deletesOrRestores('restoreProgram', 'restore');
