import { z } from 'zod';
import type { Access } from '../../operations/access.ts';
import { defineRead } from '../../operations/operation.ts';
import { connectionOf, connectionRequest, windowOf } from '../../validation/cursors.ts';
import { type Page, pageOf, pageRequest } from '../../validation/pages.ts';
import { positionSchemaOf } from '../lists/order.ts';
import type { BranchFilter, ProgramFilter } from '../rules/filters.ts';
import { branchListRequest, type ListOrder, orderingOf, programListRequest } from '../rules/lists.ts';
import { allBranchesIn, branchList } from '../sql/all-branches.ts';
import { addBranchList, addProgramList } from '../sql/dependencies.ts';
import { isOfAllPrograms, type ListedProgram, programList, programWindow } from '../sql/program-list.ts';
import { connectionAsJson, pageAsJson } from './as-json.ts';

const listsDeleted = z.looseObject({ filter: z.looseObject({ deleted: z.literal(true) }) });

/** Listing deleted records takes the permission to restore them. */
const accessFor = (given: unknown): Access | undefined =>
  listsDeleted.safeParse(given).success ? 'programs:write' : undefined;

const listsByProgram = z.looseObject({ orderBy: z.enum(['PROGRAM_ASC', 'PROGRAM_DESC']) });

/** A list of branches by the names of their programs says what these are: by its order, and its cursors have them. */
const accessForBranches = (given: unknown): Access | undefined =>
  accessFor(given) ?? (listsByProgram.safeParse(given).success ? 'programs:read' : undefined);

const programPageRequest = z.intersection(pageRequest, programListRequest);

const pageOfRequest = ({ page, size, ...list }: z.output<typeof programPageRequest>) => ({
  filter: list.filter,
  orderBy: orderingOf(list),
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
  json: pageAsJson(pageOfRequest),
});

/** The window of a connection, whose cursors are those of its order. */
function windowOfRequest<Filter extends ProgramFilter | BranchFilter>(
  input: z.output<typeof connectionRequest> & {
    readonly filter: Filter;
    readonly orderBy: ListOrder;
    readonly orderAttribute?: string | undefined;
  },
) {
  const orderBy = orderingOf(input);
  return { filter: input.filter, orderBy, window: windowOf(input, positionSchemaOf(orderBy)) };
}

export const connectPrograms = defineRead({
  name: 'programsConnection',
  access: 'programs:read',
  accessFor,
  scope: 'records',
  input: z.intersection(connectionRequest, programListRequest),
  run: async (input, { db, dependencies, loaders }) => {
    const { filter, orderBy, window } = windowOfRequest(input);
    const { result: rows, filter: searched } = await programWindow(db, filter, orderBy, window);
    addProgramList(dependencies, searched, orderBy.by);
    return {
      ...connectionOf(rows, window, ({ position }) => position),
      totalCount: () => loaders.programCount.load(searched),
    };
  },
  json: connectionAsJson({
    type: 'Program',
    source: { listOf: programList, isIndexed: isOfAllPrograms },
    requestOf: windowOfRequest,
    addTo: addProgramList,
    count: ({ programCount }, filter) => programCount.load(filter),
  }),
});

export const connectBranches = defineRead({
  name: 'branchesConnection',
  access: 'user',
  accessFor: accessForBranches,
  scope: 'records',
  input: z.intersection(connectionRequest, branchListRequest),
  run: async (input, { db, dependencies, loaders }) => {
    const { filter, orderBy, window } = windowOfRequest(input);
    const { result: rows, filter: searched } = await allBranchesIn(db, filter, orderBy, window);
    addBranchList(dependencies, searched, orderBy.by);
    return {
      ...connectionOf(rows, window, ({ position }) => position),
      totalCount: () => loaders.allBranchCount.load(searched),
    };
  },
  json: connectionAsJson({
    type: 'Branch',
    source: { listOf: branchList, isIndexed: () => false },
    requestOf: windowOfRequest,
    addTo: addBranchList,
    count: ({ allBranchCount }, filter) => allBranchCount.load(filter),
  }),
});
