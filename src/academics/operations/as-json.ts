import type { JsonReader } from '../../operations/operation.ts';
import { objectJson, type Selection, selectedJson } from '../../operations/selection.ts';
import { pageInfoOf } from '../../validation/cursors.ts';
import { type Page, pageOf } from '../../validation/pages.ts';
import { notFound } from '../../validation/validate.ts';
import type { WithSimilarWords } from '../lists/words.ts';
import type { Ordering } from '../rules/lists.ts';
import { addProgramList, type ReadDependencies } from '../sql/dependencies.ts';
import type { JsonType } from '../sql/json/pieces.ts';
import { type ListsJson, type RecordJson, recordJsonOf, recordReader } from '../sql/json/records.ts';
import { type ListSource, readWindowJson, type WindowRequest } from '../sql/json/windows.ts';
import type { Loaders } from '../sql/loaders.ts';
import { type ProgramPageRequest, readPageJson } from '../sql/program-pages.ts';

type AsJson<Input> = (fields: readonly Selection[]) => JsonReader<Input> | undefined;

/** A program or branch as JSON, by its id. */
export const recordAsJson =
  (type: 'Program' | 'Branch'): AsJson<{ readonly id: number }> =>
  (fields) => {
    const json = recordJsonOf(type, fields);
    if (json === undefined) return undefined;
    const read = recordReader(type, json);
    return {
      read: async ({ id }, { db, dependencies }) => {
        const record = await read(db, id);
        if (record === undefined) throw notFound(type, id);
        dependencies.ids.add(record.programId);
        return record.text;
      },
    };
  };

/** The types of the items of lists, by field. */
type ItemTypes = Readonly<Record<string, JsonType>>;

/**
 * The lists of records among the fields of an object that has these others, too; `undefined` when there is any other field, or a list
 * twice, which loaders read once.
 */
function listsIn(
  record: 'Program' | 'Branch',
  fields: readonly Selection[],
  items: ItemTypes,
  others: readonly string[],
): RecordJson[] | undefined {
  const lists: RecordJson[] = [];
  for (const { key, name, fields: selected } of fields) {
    const type = items[name];
    const json = type && recordJsonOf(type, selected, [record]);
    const isRepeated = fields.some((other) => other.name === name && other.key !== key);
    if (json !== undefined && !isRepeated) lists.push(json);
    else if (!others.includes(name)) return undefined;
  }
  return lists;
}

/** An object with lists, in the order of `listsIn`. */
function objectWithLists(
  fields: readonly Selection[],
  items: ItemTypes,
  read: ListsJson,
  jsonOf: (field: Selection) => string,
): string {
  let place = -1;
  return objectJson(fields, (field) => {
    if (items[field.name] === undefined) return jsonOf(field);
    place += 1;
    return `[${read[`list${place}`]}]`;
  });
}

interface PageInput {
  readonly page: number;
  readonly size: number;
}

const pageItems: ItemTypes = { items: 'Program' };
const otherPageFields = ['__typename', ...Object.keys(pageOf([], 0, 1, 1))].filter((name) => name !== 'items');

/** A page of programs as JSON. */
export const pageAsJson =
  <Input extends PageInput>(requestOf: (input: Input) => ProgramPageRequest): AsJson<Input> =>
  (fields) => {
    const lists = listsIn('Program', fields, pageItems, otherPageFields);
    if (lists === undefined) return undefined;
    return {
      read: async (input, { db, dependencies }) => {
        const request = requestOf(input);
        const { result, filter } = await readPageJson(db, lists, request);
        addProgramList(dependencies, filter, request.orderBy.by);
        addPrograms(dependencies, result);
        const page: Page<never> = pageOf([], result.count, input.page, input.size);
        const members = new Map<string, unknown>(Object.entries({ ...page, __typename: 'ProgramPage' }));
        return objectWithLists(fields, pageItems, result, ({ name }) => JSON.stringify(members.get(name)));
      },
    };
  };

function addPrograms({ ids }: ReadDependencies, { programIds }: ListsJson): void {
  for (const id of programIds) ids.add(id);
}

interface ConnectionJson<Input, Filter> {
  readonly type: 'Program' | 'Branch';
  readonly source: ListSource<Filter>;
  readonly requestOf: (input: Input) => WindowRequest<Filter>;
  readonly addTo: (dependencies: ReadDependencies, filter: WithSimilarWords<Filter>, by: Ordering['by']) => void;
  readonly count: (loaders: Loaders, filter: WithSimilarWords<Filter>) => Promise<number>;
}

/** A connection as JSON. */
export function connectionAsJson<Input, Filter extends { readonly search?: string | undefined }>({
  type,
  source,
  requestOf,
  addTo,
  count,
}: ConnectionJson<Input, Filter>): AsJson<Input> {
  const items: ItemTypes = { nodes: type, edges: `${type}Edge` };
  return (fields) => {
    const lists = listsIn(type, fields, items, ['__typename', 'pageInfo', 'totalCount']);
    if (lists === undefined) return undefined;
    return {
      read: async (input, { db, dependencies, loaders }) => {
        const request = requestOf(input);
        const { result, filter } = await readWindowJson(db, source, lists, request);
        addTo(dependencies, filter, request.orderBy.by);
        addPrograms(dependencies, result);
        const isCounted = fields.some(({ name }) => name === 'totalCount');
        const totalCount = isCounted ? await count(loaders, filter) : undefined;
        const pageInfo = { ...pageInfoOf(request.window, result.found, result.cursors), __typename: 'PageInfo' };
        const members = new Map<string, unknown>([
          ['totalCount', totalCount],
          ['__typename', `${type}Connection`],
        ]);
        return objectWithLists(fields, items, result, ({ name, fields: selected }) =>
          name === 'pageInfo' ? selectedJson(pageInfo, selected) : JSON.stringify(members.get(name)),
        );
      },
    };
  };
}
