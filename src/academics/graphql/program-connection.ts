import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, connectionRequest, windowOf } from '../../validation/lists.ts';
import { programListRequest } from '../rules/program-list.ts';
import { addProgramList } from '../sql/dependencies.ts';
import { positionIn, positionSchemaOf, programWindow } from '../sql/program-list.ts';
import { ProgramFilter, ProgramOrder, withListInput } from './program-list-input.ts';

builder.queryField('programsConnection', (t) =>
  t.connection(
    {
      type: 'Program',
      description:
        'Programs with cursor pagination: pages stay consistent while programs are created and deleted, and the last costs no more than the first.',
      access: 'programs:read',
      cacheScope: 'records',
      args: {
        filter: t.arg({ type: ProgramFilter, description: 'Filter; all programs when absent.' }),
        orderBy: t.arg({ type: ProgramOrder, defaultValue: 'ID_ASC', description: 'The order of the programs.' }),
      },
      ...withListInput(z.intersection(connectionRequest, programListRequest), async (input, { db, loaders }) => {
        const { filter, orderBy, ...request } = input;
        const window = windowOf(request, positionSchemaOf(orderBy));
        const rows = await programWindow(db, filter, orderBy, window);
        addProgramList(loaders.dependencies, filter);
        return {
          ...connectionOf(rows, window, positionIn(orderBy)),
          totalCount: () => loaders.programCount.load(filter),
        };
      }),
    },
    { name: 'ProgramConnection', description: 'A page of a list of programs.' },
    { name: 'ProgramEdge', description: 'A program and its cursor.' },
  ),
);
