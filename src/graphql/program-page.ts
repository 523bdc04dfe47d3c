import { type Page, pageOf, pageRequest } from '../academics/page.ts';
import type { Program } from '../generated/prisma/client.ts';
import { accepting } from './accepting.ts';
import { builder } from './builder.ts';

const ProgramPage = builder.objectRef<Page<Program>>('ProgramPage').implement({
  description: 'One page of the list of programs.',
  fields: (t) => ({
    items: t.field({
      type: ['Program'],
      description: 'The programs of this page.',
      resolve: (page) => [...page.items],
    }),
    pageNumber: t.exposeInt('pageNumber', { description: 'Number of this page, from 1.' }),
    pageSize: t.exposeInt('pageSize', { description: 'How many programs a page has at most.' }),
    totalPages: t.exposeInt('totalPages', { description: 'How many pages there are; 0 when there are no programs.' }),
    count: t.exposeInt('count', { description: 'How many programs there are on all pages together.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether this page is not the first.' }),
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether there are programs after this page.' }),
  }),
});

builder.queryField('programs', (t) =>
  t.field({
    type: ProgramPage,
    description: 'The programs by page number, in the order of their ids.',
    access: 'programs:read',
    args: {
      page: t.arg.int({ defaultValue: 1, description: 'Number of the page, from 1.' }),
      size: t.arg.int({ defaultValue: 20, description: 'Programs on a page; more than 100 is taken as 100.' }),
    },
    ...accepting(pageRequest, async ({ page, size }, { db, load }) => {
      const [count, items] = await Promise.all([
        load.programCount.load('all'),
        db.program.findMany({
          where: { deletedAt: null },
          orderBy: { id: 'asc' },
          skip: (page - 1) * size,
          take: size,
        }),
      ]);
      return pageOf(items, count, page, size);
    }),
  }),
);
