import type { Program } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { reads } from '../../graphql/performing.ts';
import type { Page } from '../../validation/pages.ts';
import { listPrograms } from '../operations/lists.ts';
import { ProgramFilterInput } from './list-filters.ts';
import { orderAttributeDescription, orderDescription, ProgramOrder } from './list-orders.ts';

const ProgramPage = builder.objectRef<Page<Program>>('ProgramPage').implement({
  description: 'A page of the list of programs.',
  fields: (t) => ({
    items: t.field({
      type: ['Program'],
      description: 'The programs of this page.',
      resolve: (page) => [...page.items],
    }),
    pageNumber: t.exposeInt('pageNumber', { description: 'Page number, from 1.' }),
    pageSize: t.exposeInt('pageSize', { description: 'Maximum number of programs per page.' }),
    totalPages: t.exposeInt('totalPages', { description: 'Number of pages; 0 when there are no programs.' }),
    count: t.exposeInt('count', { description: 'Number of programs on all pages.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether there is a previous page.' }),
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether there is a next page.' }),
  }),
});

builder.queryField('programs', (t) =>
  t.field({
    type: ProgramPage,
    description: 'Programs by page number.',
    args: {
      page: t.arg.int({ defaultValue: 1, description: 'Page number, from 1.' }),
      size: t.arg.int({ defaultValue: 20, description: 'Programs per page; larger values are clamped to 100.' }),
      filter: t.arg({ type: ProgramFilterInput, description: 'Filter; all programs when absent.' }),
      orderBy: t.arg({ type: ProgramOrder, description: orderDescription }),
      orderAttribute: t.arg.string({ description: orderAttributeDescription }),
    },
    ...reads(listPrograms),
  }),
);
