import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, connectionRequest, windowOf } from '../../validation/cursors.ts';
import { positionIn, positionSchemaOf } from '../lists/order.ts';
import { orderOf, programListRequest } from '../rules/lists.ts';
import { addProgramList } from '../sql/dependencies.ts';
import { programWindow } from '../sql/program-list.ts';
import { orderDescription, ProgramFilterInput, ProgramOrderEnum, withListInput } from './program-list-input.ts';

builder.queryField('programsConnection', (t) =>
  t.connection(
    {
      type: 'Program',
      description:
        'Programs with cursor pagination: pages stay consistent while programs are created and deleted, and the last costs no more than the first.',
      access: 'programs:read',
      cacheScope: 'records',
      args: {
        filter: t.arg({ type: ProgramFilterInput, description: 'Filter; all programs when absent.' }),
        orderBy: t.arg({ type: ProgramOrderEnum, description: orderDescription }),
      },
      ...withListInput(
        z.intersection(connectionRequest, programListRequest),
        async (input, { db, dependencies, loaders }) => {
          const { filter, orderBy: _, ...request } = input;
          const orderBy = orderOf(input);
          const window = windowOf(request, positionSchemaOf(orderBy));
          const { result: rows, filter: searched } = await programWindow(db, filter, orderBy, window);
          addProgramList(dependencies, searched);
          return {
            ...connectionOf(rows, window, positionIn(orderBy)),
            totalCount: () => loaders.programCount.load(searched),
          };
        },
      ),
    },
    { name: 'ProgramConnection', description: 'A page of a list of programs.' },
    { name: 'ProgramEdge', description: 'A program and its cursor.' },
  ),
);
