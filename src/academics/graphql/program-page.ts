import { z } from 'zod';
import type { Program } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { type Page, pageOf, pageRequest } from '../../validation/pages.ts';
import { orderOf, programListRequest } from '../rules/lists.ts';
import { addProgramList } from '../sql/dependencies.ts';
import { writtenPage } from '../sql/program-pages.ts';
import { fieldsOf, writerOf } from '../sql/written.ts';
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
      async ({ page, size, filter, orderBy }, selection, { db, dependencies }) => {
        const fields = fieldsOf(selection);
        const items = fields?.get('items')?.selectionSet;
        const writer = items && writerOf('Program', items);
        if (fields === undefined || writer === undefined) return undefined;
        const request = { filter, orderBy: orderOf({ filter, orderBy }), offset: (page - 1) * size, size };
        const written = await writtenPage(db, writer, request);
        addProgramList(dependencies, written.filter);
        if (writer.showsLists) for (const id of written.ids) dependencies.ids.add(id);
        return pageText(fields.keys(), written.text, pageOf([], written.count, page, size));
      },
    ),
  }),
);

/** A page as JSON, in the order of its fields. */
function pageText(fields: Iterable<string>, items: string, page: Page<Program>): string {
  const members = { ...page, __typename: 'ProgramPage' };
  const texts = new Map(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]));
  texts.set('items', `[${items}]`);
  return `{${[...fields].map((name) => `"${name}":${texts.get(name)}`).join(',')}}`;
}
