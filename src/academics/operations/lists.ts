import { z } from 'zod';
import type { Access } from '../../operations/access.ts';
import { defineRead } from '../../operations/operation.ts';
import { connectionOf, connectionRequest, windowOf } from '../../validation/cursors.ts';
import { type Page, pageOf, pageRequest } from '../../validation/pages.ts';
import { positionIn, positionSchemaOf } from '../lists/order.ts';
import { branchListRequest, orderOf, programListRequest } from '../rules/lists.ts';
import { allBranchesIn } from '../sql/all-branches.ts';
import { addBranchList, addProgramList } from '../sql/dependencies.ts';
import { type ListedProgram, programWindow } from '../sql/program-list.ts';
import { readPageJson } from '../sql/program-pages.ts';
import { fieldsOf, jsonSelectionOf } from '../sql/record-json.ts';

const listsDeleted = z.looseObject({ filter: z.looseObject({ deleted: z.literal(true) }) });

/** Listing deleted records takes the permission to restore them. */
const accessFor = (given: unknown): Access | undefined =>
  listsDeleted.safeParse(given).success ? 'programs:write' : undefined;

const programPageRequest = z.intersection(pageRequest, programListRequest);

const pageOfRequest = ({ page, size, filter, orderBy }: z.output<typeof programPageRequest>) => ({
  filter,
  orderBy: orderOf({ filter, orderBy }),
  offset: (page - 1) * size,
  size,
});

export const listPrograms = defineRead({
  name: 'programs',
  access: 'programs:read',
  accessFor,
  scope: 'records',
  input: programPageRequest,
  run: async (input, { loaders }): Promise<Page<ListedProgram>> => {
    const { programs, count } = await loaders.programPage.load(pageOfRequest(input));
    return pageOf(programs, count, input.page, input.size);
  },
  json: async (input, selection, { db, dependencies }) => {
    if (input.filter.deleted === true) return undefined;
    const fields = fieldsOf(selection);
    const items = fields?.get('items')?.selectionSet;
    const json = items && jsonSelectionOf('Program', items);
    if (fields === undefined || json === undefined) return undefined;
    const read = await readPageJson(db, json, pageOfRequest(input));
    addProgramList(dependencies, read.filter);
    if (json.showsLists) for (const id of read.ids) dependencies.ids.add(id);
    return pageText(fields.keys(), read.text, pageOf([], read.count, input.page, input.size));
  },
});

/** A page as JSON, in the order of its fields. */
function pageText(fields: Iterable<string>, items: string, page: Page<never>): string {
  const members = { ...page, __typename: 'ProgramPage' };
  const texts = new Map(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]));
  texts.set('items', `[${items}]`);
  return `{${[...fields].map((name) => `"${name}":${texts.get(name)}`).join(',')}}`;
}

export const connectPrograms = defineRead({
  name: 'programsConnection',
  access: 'programs:read',
  accessFor,
  scope: 'records',
  input: z.intersection(connectionRequest, programListRequest),
  run: async (input, { db, dependencies, loaders }) => {
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
});

export const connectBranches = defineRead({
  name: 'branchesConnection',
  access: 'user',
  accessFor,
  scope: 'records',
  input: z.intersection(connectionRequest, branchListRequest),
  run: async (input, { db, dependencies, loaders }) => {
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
});
