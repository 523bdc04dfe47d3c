import { responseTooLarge } from '@service/errors';
import type { JsonReader } from '../../operations/operation.ts';
import { objectJson, type Selection, selectedJson } from '../../operations/selection.ts';
import { cursorOf, pageInfoOf } from '../../validation/cursors.ts';
import { pageOf } from '../../validation/pages.ts';
import { notFound } from '../../validation/validate.ts';
import type { RecordKind } from '../kinds.ts';
import type { WithSimilarWords } from '../lists/words.ts';
import type { Ordering } from '../rules/lists.ts';
import { addProgramList, type ReadDependencies } from '../sql/dependencies.ts';
import { recordReader } from '../sql/json/record-reader.ts';
import { type ListsText, listsJsonOf, recordJsonOf } from '../sql/json/records.ts';
import { type ListSource, readWindowJson, type WindowRequest, withinWindow } from '../sql/json/windows.ts';
import type { Loaders } from '../sql/loaders.ts';
import { type ProgramPageRequest, readPageJson } from '../sql/program-pages.ts';

type AsJson<Input> = (fields: readonly Selection[]) => JsonReader<Input> | undefined;

/** A program or branch as JSON, by its id. */
export const recordAsJson =
  (type: RecordKind): AsJson<{ readonly id: number }> =>
  (fields) => {
    const json = recordJsonOf(type, fields);
    if (json === undefined) return undefined;
    const { length, read } = recordReader(type, json);
    return {
      length,
      read: async ({ id }, { db, dependencies, responseBytesMax }) => {
        const record = await read(db, id, responseBytesMax);
        if (record === undefined) throw notFound(type, id);
        dependencies.ids.add(record.programId);
        return record.text ?? tooLarge(responseBytesMax);
      },
    };
  };

function tooLarge(bytesMax: number): never {
  throw responseTooLarge(bytesMax);
}

/** An object with lists, in their order, and other members. @throws ServiceError `RESPONSE_TOO_LARGE` */
function objectWithLists(fields: readonly Selection[], bytesMax: number, read: ListsText, others: object): string {
  const members = new Map<string, unknown>(Object.entries(others));
  const lists = fields.filter(({ name }) => !members.has(name));
  return objectJson(fields, (field) => {
    const { name, fields: selected } = field;
    if (!members.has(name)) return `[${read[`list${lists.indexOf(field)}`] ?? tooLarge(bytesMax)}]`;
    const value = members.get(name);
    return name === 'pageInfo' ? selectedJson(value, selected) : JSON.stringify(value);
  });
}

interface PageInput {
  readonly page: number;
  readonly size: number;
}

export const pageAsJson =
  <Input extends PageInput>(requestOf: (input: Input) => ProgramPageRequest): AsJson<Input> =>
  (fields) => {
    const lists = listsJsonOf('ProgramPage', fields);
    if (lists === undefined) return undefined;
    return {
      length: lists.length,
      read: async (input, { db, dependencies, responseBytesMax: bytesMax }) => {
        const request = requestOf(input);
        const { result, filter } = await readPageJson(db, { lists, bytesMax }, request);
        addProgramList(dependencies, filter, request.orderBy.by);
        addPrograms(dependencies, result);
        const { items: _items, ...page } = pageOf([], result.count, input.page, input.size);
        return objectWithLists(fields, bytesMax, result, { ...page, __typename: 'ProgramPage' });
      },
    };
  };

function addPrograms({ ids }: ReadDependencies, { programIds }: ListsText): void {
  for (const id of programIds) ids.add(id);
}

interface ConnectionJson<Input, Filter> {
  readonly type: RecordKind;
  readonly source: ListSource<Filter>;
  readonly requestOf: (input: Input) => WindowRequest<Filter>;
  readonly addTo: (dependencies: ReadDependencies, filter: WithSimilarWords<Filter>, by: Ordering['by']) => void;
  readonly count: (loaders: Loaders, filter: WithSimilarWords<Filter>) => Promise<number>;
}

export function connectionAsJson<Input, Filter extends { readonly search?: string | undefined }>({
  type,
  source,
  requestOf,
  addTo,
  count,
}: ConnectionJson<Input, Filter>): AsJson<Input> {
  return (fields) => {
    const lists = listsJsonOf(`${type}Connection`, fields, withinWindow);
    if (lists === undefined) return undefined;
    const isCounted = fields.some(({ name }) => name === 'totalCount');
    return {
      length: lists.length,
      read: async (input, reading) => {
        const { db, dependencies, responseBytesMax: bytesMax } = reading;
        const request = requestOf(input);
        const { result, filter } = await readWindowJson(db, source, { lists, bytesMax }, request);
        addTo(dependencies, filter, request.orderBy.by);
        addPrograms(dependencies, result);
        const cursors = [result.positions[0], result.positions.at(-1)].filter((one) => one !== undefined).map(cursorOf);
        return objectWithLists(fields, bytesMax, result, {
          // The loaders of a request are made when one is used.
          totalCount: isCounted ? await count(reading.loaders, filter) : undefined,
          pageInfo: { ...pageInfoOf(request.window, result.found, cursors), __typename: 'PageInfo' },
          __typename: `${type}Connection`,
        });
      },
    };
  };
}
