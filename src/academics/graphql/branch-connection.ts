import { builder } from '../../graphql/builder.ts';
import { reads } from '../../graphql/performing.ts';
import { connectionOf, connectionRequest, positionId, windowOf } from '../../validation/cursors.ts';
import { validateInput } from '../../validation/validate.ts';
import { connectBranches } from '../operations/lists.ts';
import { BranchFilterInput } from './list-filters.ts';
import { BranchOrder, orderAttributeDescription, orderDescription } from './list-orders.ts';

const BranchConnection = builder.connectionObject(
  { type: 'Branch', name: 'BranchConnection', description: 'A page of a list of branches.' },
  { name: 'BranchEdge', description: 'A branch and its cursor.' },
);

builder.objectField('Program', 'branchesConnection', (t) =>
  t.connection(
    {
      type: 'Branch',
      description: 'The branches of the program with cursor pagination, ordered by id.',
      resolve: async (program, args, { reading: { loaders } }) => {
        const window = windowOf(validateInput(connectionRequest, args), positionId);
        const rows = await loaders.branchWindow.load({ programId: program.id, window });
        return {
          ...connectionOf(rows, window, (branch) => branch.id),
          totalCount: () => loaders.branchCount.load(program.id),
        };
      },
    },
    BranchConnection,
  ),
);

builder.queryField('branchesConnection', (t) =>
  t.connection(
    {
      type: 'Branch',
      description:
        'The branches of all programs with cursor pagination: pages stay consistent while branches are created and deleted, and the last costs no more than the first.',
      args: {
        filter: t.arg({ type: BranchFilterInput, description: 'Filter; all branches when absent.' }),
        orderBy: t.arg({ type: BranchOrder, description: orderDescription }),
        orderAttribute: t.arg.string({ description: orderAttributeDescription }),
      },
      ...reads(connectBranches),
    },
    BranchConnection,
  ),
);
