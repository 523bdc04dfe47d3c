import { builder } from '../../graphql/builder.ts';
import { reads } from '../../graphql/performing.ts';
import { connectPrograms } from '../operations/lists.ts';
import { ProgramFilterInput } from './list-filters.ts';
import { orderAttributeDescription, orderDescription, ProgramOrder } from './list-orders.ts';

builder.queryField('programsConnection', (t) =>
  t.connection(
    {
      type: 'Program',
      description:
        'Programs with cursor pagination: pages stay consistent while programs are created and deleted, and the last costs no more than the first.',
      args: {
        filter: t.arg({ type: ProgramFilterInput, description: 'Filter; all programs when absent.' }),
        orderBy: t.arg({ type: ProgramOrder, description: orderDescription }),
        orderAttribute: t.arg.string({ description: orderAttributeDescription }),
      },
      ...reads(connectPrograms),
    },
    { name: 'ProgramConnection', description: 'A page of a list of programs.' },
    { name: 'ProgramEdge', description: 'A program and its cursor.' },
  ),
);
