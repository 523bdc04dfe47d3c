import { z } from 'zod';
import type { Program } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { type Page, pageOf, pageRequest } from '../../validation/lists.ts';
import { orderOf, programListRequest } from '../rules/program-list.ts';
import { orderDescription, ProgramFilterInput, ProgramOrderEnum, withListInput } from './program-list-input.ts';

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
    access: 'programs:read',
    cacheScope: 'records',
    args: {
      page: t.arg.int({ defaultValue: 1, description: 'Page number, from 1.' }),
      size: t.arg.int({ defaultValue: 20, description: 'Programs per page; larger values are clamped to 100.' }),
      filter: t.arg({ type: ProgramFilterInput, description: 'Filter; all programs when absent.' }),
      orderBy: t.arg({ type: ProgramOrderEnum, description: orderDescription }),
    },
    ...withListInput(
      z.intersection(pageRequest, programListRequest),
      async ({ page, size, filter, orderBy }, { loaders }) => {
        const { programs, count } = await loaders.programPage.load({
          filter,
          orderBy: orderOf({ filter, orderBy }),
          offset: (page - 1) * size,
          size,
        });
        return pageOf(programs, count, page, size);
      },
    ),
  }),
);
