import { check } from '../academics/check.ts';
import { connectionOf, connectionRequest, positionId, windowOf } from '../academics/connection.ts';
import { builder } from './builder.ts';

builder.objectField('Program', 'branchesConnection', (t) =>
  t.connection(
    {
      type: 'Branch',
      description: 'The branches of the program by cursor, in the order of their ids.',
      resolve: async (program, args, { load }) => {
        const window = windowOf(check(connectionRequest, args), positionId);
        const rows = await load.branchWindow.load({ programId: program.id, window });
        return {
          ...connectionOf(rows, window, (branch) => branch.id),
          totalCount: () => load.branchCount.load(program.id),
        };
      },
    },
    { name: 'BranchConnection', description: 'A part of the branches of a program.' },
    { name: 'BranchEdge', description: 'A branch of a program and where it is.' },
  ),
);
