import { z } from 'zod';
import { connectionOf, connectionRequest, windowOf } from '../../academics/connection.ts';
import { programListRequest } from '../../academics/program-list.ts';
import { positionIn, positionSchemaOf, programWindow } from '../../database/catalog/program-list.ts';
import { builder } from './builder.ts';
import { ProgramFilter, ProgramOrder } from './program-list-input.ts';
import { withInput } from './with-input.ts';

builder.queryField('programsConnection', (t) =>
  t.connection(
    {
      type: 'Program',
      description:
        'The programs by cursor: as cheap at the end of the list as at its beginning, and steady while programs come and go.',
      access: 'programs:read',
      cacheScope: 'catalog',
      args: {
        filter: t.arg({ type: ProgramFilter, description: 'Which programs; all when absent.' }),
        orderBy: t.arg({ type: ProgramOrder, defaultValue: 'ID_ASC', description: 'The order of the programs.' }),
      },
      ...withInput(z.intersection(connectionRequest, programListRequest), async (input, { db, loaders }) => {
        const { filter, orderBy, ...request } = input;
        const window = windowOf(request, positionSchemaOf(orderBy));
        const rows = await programWindow(db, filter, orderBy, window);
        return {
          ...connectionOf(rows, window, positionIn(orderBy)),
          totalCount: () => loaders.programCount.load(filter),
        };
      }),
    },
    { name: 'ProgramConnection', description: 'A part of a list of programs.' },
    { name: 'ProgramEdge', description: 'A program of a list and where it is.' },
  ),
);
