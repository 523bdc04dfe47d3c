import { z } from 'zod';
import type { Branch } from '../../generated/prisma/client.ts';
import { defineRead, defineWrite, type Writing } from '../../operations/operation.ts';
import { identifier, identifierMax, notFound } from '../../validation/validate.ts';
import { branchFields } from '../kinds.ts';
import { branchBytesMax, branchBytesOfOthersMax, branchChanges, newBranch } from '../rules/branch.ts';
import { newRecords } from '../rules/records.ts';
import { expectedVersion, requireVersion } from '../rules/version.ts';
import { changedBranches } from '../sql/dependencies.ts';
import { lockBranches, lockParent } from '../sql/locks.ts';
import { branchesById, branchYears, existing } from '../sql/records.ts';
import { writeOne } from '../sql/writes/change-records.ts';
import { createRecords } from '../sql/writes/create-records.ts';
import { alikeBranches } from './alike-records.ts';
import { recordAsJson } from './as-json.ts';
import { judgedItems, judgedNew, judgedUpdate, problemsOfItems, problemsOfNew, withoutRefusals } from './judged.ts';

export const readBranch = defineRead({
  name: 'branch',
  access: 'user',
  scope: 'records',
  input: identifier,
  run: async ({ id }, { loaders }) => {
    const branch = existing(await loaders.branch.load(id));
    if (branch === undefined) throw notFound('Branch', id);
    return branch;
  },
  json: recordAsJson('Branch'),
});

/** How many bytes a program may have until the caller creates no more branches in it. */
const room = ({ request: { caller, account } }: Writing) => ({
  bytesMax: caller.permissions.has('programs:write') ? branchBytesMax : branchBytesOfOthersMax,
  account,
});

export const createBranch = defineWrite({
  name: 'createBranch',
  access: 'user',
  // Not grouped: waiting for the lock of its program would hold up the rest of a group.
  transaction: 'short',
  input: newBranch,
  rejects: (input, reading) => problemsOfNew(reading, 'Branch', input),
  affects: (branch: Branch) => changedBranches(branch),
  run: async (input, writing) => {
    const { programId } = input;
    if (programId > identifierMax) throw notFound('Program', BigInt(programId).toString());
    const record = await judgedNew(writing, 'Branch', input);
    const [branch] = await createRecords(withoutRefusals(writing), 'Branch', [record], { room: room(writing) });
    if (branch === undefined) throw new Error('A branch was not created.');
    return branch;
  },
  warn: (branch, input, reading) => alikeBranches([branch], input, reading),
});

export const createBranches = defineWrite({
  name: 'createBranches',
  access: 'user',
  transaction: 'short',
  input: newRecords(newBranch),
  rejects: ({ items }, reading) => problemsOfItems(reading, 'Branch', items),
  affects: (branches: readonly Branch[]) => changedBranches(...branches),
  run: async ({ items }, writing) => {
    const records = await judgedItems(writing, 'Branch', items);
    return createRecords(withoutRefusals(writing), 'Branch', records, { areItems: true, room: room(writing) });
  },
  warn: (branches, { items }, reading) => alikeBranches(branches, items, reading),
});

/** A branch after a write, deleted or not. */
async function readAnyBranch(id: number, { tx }: Writing): Promise<Branch> {
  const [branch] = await branchesById(tx, [id]);
  if (branch === undefined) throw notFound('Branch', id);
  return branch;
}

interface UpdatedBranch extends Branch {
  /** Two when it has moved. */
  readonly programIds: readonly number[];
}

export const updateBranch = defineWrite({
  name: 'updateBranch',
  access: 'programs:write',
  transaction: 'short',
  input: z.object({ ...identifier.shape, ...branchChanges.shape, expectedVersion }),
  affects: ({ programIds }: UpdatedBranch) => ({ ids: programIds, kinds: ['branches'] }),
  run: async ({ id, expectedVersion, ...update }, writing): Promise<UpdatedBranch> => {
    const { tx } = writing;
    if (expectedVersion !== undefined) {
      if (update.programId !== undefined) await lockParent(tx, update.programId);
      await lockBranches(tx, 'id', [id]);
      const before = existing((await branchesById(tx, [id]))[0]);
      if (before !== undefined) {
        const { length: years } = await branchYears(tx, [id]);
        requireVersion('Branch', before, expectedVersion, { ...branchFields.parse(before), years });
      }
    }
    const judged = await judgedUpdate(writing, 'Branch', update);
    const programIds = await writeOne(judged.context, 'Branch', id, judged);
    return { ...(await readAnyBranch(id, writing)), programIds };
  },
  warn: (branch, input, reading) => alikeBranches([branch], input, reading),
});

const deletesOrRestores = (name: string, change: 'delete' | 'restore') =>
  defineWrite({
    name,
    access: 'programs:write',
    transaction: 'short',
    input: identifier,
    affects: (branch: Branch) => changedBranches(branch),
    run: async ({ id }, writing) => {
      await writeOne(withoutRefusals(writing), 'Branch', id, change);
      return readAnyBranch(id, writing);
    },
  });

export const deleteBranch = deletesOrRestores('deleteBranch', 'delete');
export const restoreBranch = deletesOrRestores('restoreBranch', 'restore');
