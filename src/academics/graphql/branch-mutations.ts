import { builder } from '../../graphql/builder.ts';
import { writes } from '../../graphql/performing.ts';
import { createBranch, createBranches, deleteBranch, restoreBranch, updateBranch } from '../operations/branches.ts';
import { CreateBranchInput, UpdateBranchInput } from './inputs.ts';

builder.mutationFields((t) => ({
  createBranch: t.field({
    type: 'Branch',
    description: 'Creates a branch under an existing program, with its years.',
    failsWith: ['NOT_FOUND'],
    args: { input: t.arg({ type: CreateBranchInput, required: true, description: 'The new branch.' }) },
    ...writes(createBranch),
  }),
  createBranches: t.field({
    type: ['Branch'],
    description:
      'Creates up to 100 branches, of one or more programs, with their years, all or none. Problems are reported by index, such as `items[3].name`.',
    failsWith: ['NOT_FOUND'],
    args: { items: t.arg({ type: [CreateBranchInput], required: true, description: 'The new branches.' }) },
    ...writes(createBranches),
  }),
  updateBranch: t.field({
    type: 'Branch',
    description: 'Updates a branch, and moves it to another program if one is given.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the branch.' }),
      input: t.arg({ type: UpdateBranchInput, required: true, description: 'The changes.' }),
    },
    ...writes(updateBranch),
  }),
  deleteBranch: t.field({
    type: 'Branch',
    description: 'Deletes a branch. `restoreBranch` undoes it.',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the branch.' }) },
    ...writes(deleteBranch),
  }),
  restoreBranch: t.field({
    type: 'Branch',
    description:
      'Restores a deleted branch. No effect if it is not deleted. Fails with `CONFLICT` if its program is deleted.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the branch.' }) },
    ...writes(restoreBranch),
  }),
}));
