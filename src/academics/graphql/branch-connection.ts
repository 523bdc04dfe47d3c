import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, connectionRequest, positionId, windowOf } from '../../validation/cursors.ts';
import { validateInput } from '../../validation/validate.ts';
import { positionIn, positionSchemaOf } from '../lists/order.ts';
import { branchListRequest, orderOf } from '../rules/lists.ts';
import { allBranchesIn } from '../sql/all-branches.ts';
import { addBranchList } from '../sql/dependencies.ts';
import { BranchFilterInput, BranchOrder, orderDescription, withListInput } from './program-list-input.ts';

const BranchConnection = builder.connectionObject(
  { type: 'Branch', name: 'BranchConnection', description: 'A page of a list of branches.' },
  { name: 'BranchEdge', description: 'A branch and its cursor.' },
);

builder.objectField('Program', 'branchesConnection', (t) =>
  t.connection(
    {
      type: 'Branch',
      description: 'The branches of the program with cursor pagination, ordered by id.',
      resolve: async (program, args, { loaders }) => {
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
      access: 'user',
      cacheScope: 'records',
      args: {
        filter: t.arg({ type: BranchFilterInput, description: 'Filter; all branches when absent.' }),
        orderBy: t.arg({ type: BranchOrder, description: orderDescription }),
      },
      ...withListInput(
        z.intersection(connectionRequest, branchListRequest),
        async (input, { db, dependencies, loaders }) => {
          const { filter, orderBy: _, ...request } = input;
          const orderBy = orderOf(input);
          const window = windowOf(request, positionSchemaOf(orderBy));
          const { result: rows, filter: searched } = await allBranchesIn(db, filter, orderBy, window);
          addBranchList(dependencies, searched);
          return {
            ...connectionOf(rows, window, positionIn(orderBy)),
            totalCount: () => loaders.allBranchCount.load(searched),
          };
        },
      ),
    },
    BranchConnection,
  ),
);
