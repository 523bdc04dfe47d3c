// Compiles selected fields to SQL: PostgreSQL makes the JSON, byte for byte as GraphQL would. A record with all levels below
// it takes one statement, and this process neither parses rows nor makes objects of them.

import { hash } from 'node:crypto';
import { quickBytesMax } from '@service/postgres/sql';
import { Prisma } from '../../../generated/prisma/client.ts';
import { isRepeated, type Selection } from '../../../operations/selection.ts';
import { branchSelection, programSelection } from '../records.ts';
import {
  bytesOf,
  bytesOfRows,
  type Compile,
  fits,
  type JsonSql,
  type JsonType,
  joined,
  objectPieces,
  type Piece,
  sumOf,
} from './pieces.ts';
import { type ObjectField, types } from './written-fields.ts';

/** Selected fields of a row `record` as JSON. Keys and punctuation are parameters: other spellings have the same text. */
export interface RecordJson extends JsonSql {
  /** Names its text in the names of prepared statements. */
  readonly name: string;
  /** Whether it shows other records of its program, too. */
  readonly isOfProgram: boolean;
  /** Whether it reads other tables. */
  readonly readsOthers: boolean;
}

/** `undefined` for fields that need resolvers. */
export const recordJsonOf = (type: JsonType, fields: readonly Selection[]): RecordJson | undefined =>
  isWritten(type, fields) ? jsonOf(type, fields) : undefined;

/** The lists of a page or connection as JSON, in the order of its fields. */
export interface ListsJson {
  /** Rows `record`, of which an aggregate has the columns. */
  rows(rows: Prisma.Sql): Prisma.Sql;
  /** Columns of `ListsText`. */
  readonly columns: Prisma.Sql;
  /** These columns, with `null` for all lists when they have too many bytes together. */
  readonly shown: Prisma.Sql;
  /** Whether the bytes of these lists are measured before they are made. */
  readonly isMeasured: boolean;
  readonly isTooLarge: (row: ListsText) => boolean;
  /** Characters of the columns. */
  readonly length: number;
  /** Names them in the names of prepared statements. */
  readonly name: string;
  /** Whether they read other tables. */
  readonly readsOthers: boolean;
}

/** Lists as JSON, with the most bytes that they may have together. */
export interface BoundedLists {
  readonly lists: ListsJson;
  readonly bytesMax: number;
}

/** The items of each list, separated by commas; `null` when they are too large. */
export interface ListsText {
  /** Other records of these programs are shown, too. */
  readonly programIds: readonly number[];
  readonly [list: `list${number}`]: string | null;
}

/**
 * `undefined` for fields that need resolvers.
 * @param clause of the aggregates, over some of the rows.
 */
export function listsJsonOf(
  type: 'ProgramPage' | 'ProgramConnection' | 'BranchConnection',
  fields: readonly Selection[],
  clause = Prisma.empty,
): ListsJson | undefined {
  if (!isWritten(type, fields)) return undefined;
  const lists = fields.flatMap(({ name, fields: selected }) => {
    const list = types[type].objects?.[name];
    return list?.isList === true ? [jsonOf(list.type, selected)] : [];
  });
  const { programId } = records[type === 'BranchConnection' ? 'Branch' : 'Program'];
  const ids = lists.some(({ isOfProgram }) => isOfProgram)
    ? Prisma.sql`coalesce(json_agg(${programId}) ${clause}, '[]')`
    : Prisma.sql`'[]'::json`;
  const isMeasured = lists.some(isLong);
  const bytes = sumOf(lists.map(bytesOf));
  const isSmall = fits(Prisma.raw('record."jsonBytes"'));
  const columnOf = ({ sql }: JsonSql): Prisma.Sql =>
    isMeasured
      ? Prisma.sql`CASE WHEN bool_and(${isSmall}) IS NOT FALSE THEN
          coalesce(string_agg(CASE WHEN ${isSmall} THEN ${sql} END, ',') ${clause}, '') END`
      : Prisma.sql`coalesce(string_agg(${sql}, ',') ${clause}, '')`;
  const keys = lists.map((_, index): keyof ListsText => `list${index}`);
  const names = keys.map((key) => Prisma.raw(key));
  const octets = sumOf(names.map((name) => Prisma.sql`octet_length(${name})`));
  const columns = Prisma.join([
    Prisma.sql`${ids} AS "programIds"`,
    ...lists.map((list, index) => Prisma.sql`${columnOf(list)} AS ${Prisma.raw(`list${index}`)}`),
  ]);
  return {
    isMeasured,
    isTooLarge: (row) => keys.some((key) => row[key] === null),
    length: lengthOf(columns),
    rows: (rows) =>
      isMeasured ? Prisma.sql`SELECT *, sum(${bytes}) ${clause} OVER () AS "jsonBytes" FROM (${rows}) AS record` : rows,
    columns,
    shown: Prisma.join([
      Prisma.raw('"programIds"'),
      ...names.map((name) => Prisma.sql`CASE WHEN ${fits(octets)} THEN ${name} END AS ${name}`),
    ]),
    name: nameOf(lists.map(({ name }) => name).join()),
    readsOthers: lists.some(({ readsOthers }) => readsOthers),
  };
}

function jsonOf(type: JsonType, fields: readonly Selection[]): RecordJson {
  const json = objectSql(type, fields, 'record');
  return {
    ...json,
    name: nameOf(json.sql.text),
    isOfProgram: shows(type, fields, ({ isOfProgram = false }) => isOfProgram),
    readsOthers: shows(
      type,
      fields,
      ({ rows, sql: own, type: shown }) => shown !== 'Attribute' && (rows ?? own) !== undefined,
    ),
  };
}

/** Whether JSON is measured before it is made: it may have far more bytes than a few records. */
export const isLong = ({ isExpanding, isUnbounded }: JsonSql): boolean => isExpanding || isUnbounded;

const itemOf = (type: JsonType): JsonType => types[type].objects?.['node']?.type ?? type;

/**
 * Loaders read a list once, PostgreSQL in each place: so none is there twice, or within another of its type.
 * @param within the types of records of the lists that the object is part of.
 */
function isWritten(type: JsonType, fields: readonly Selection[], within: readonly JsonType[] = []): boolean {
  const { values, objects = {} } = types[type];
  return fields.every(({ name, args, fields: inner }) => {
    const object = objects[name];
    if (object === undefined) return name === '__typename' || name in values;
    if (isRepeated(name, fields) || object.accepts?.(args) === false) return false;
    const lists = object.isList ? [itemOf(object.type)] : [];
    return !lists.some((list) => within.includes(list)) && isWritten(object.type, inner, [...within, ...lists]);
  });
}

function shows(type: JsonType, fields: readonly Selection[], is: (object: ObjectField) => boolean): boolean {
  return fields.some(({ name, fields: inner }) => {
    const object = types[type].objects?.[name];
    return object !== undefined && (is(object) || shows(object.type, inner, is));
  });
}

const objectSql: Compile = (type, fields, row) => joined(piecesOf(type, fields, row));

const piecesOf = (type: JsonType, fields: readonly Selection[], row: string): Iterable<Piece> =>
  objectPieces(fields, (field) => fieldPieces(type, field, row));

function fieldPieces(type: JsonType, field: Selection, row: string): Iterable<Piece> {
  const { name, fields } = field;
  const { values, objects = {} } = types[type];
  const [value, object] = [values[name], objects[name]];
  if (value !== undefined) return [value(row)];
  if (object === undefined) return [`"${type}"`];
  if (object.sql !== undefined) return [object.sql(field, row, objectSql)];
  if (object.rows === undefined) return piecesOf(object.type, fields, row);
  const alias = `${row}_${name}`;
  const item = objectSql(object.type, fields, alias);
  const rows = Prisma.raw(object.rows(row));
  if (object.isList !== true) return [oneOf(item, rows, alias)];
  const { order = 'id', isShort = false, isOfProgram = false } = object;
  const listOf = (items: Prisma.Sql, limit = Prisma.empty): Prisma.Sql => Prisma.sql`(SELECT ${items} FROM (
    ${rows} ORDER BY ${Prisma.raw(order)} ${limit}
  ) AS ${Prisma.raw(alias)})`;
  const items = listOf(itemsOf(item.sql));
  const few =
    item.ofFew && listOf(Prisma.sql`CASE WHEN count(*) <= ${most} THEN ${itemsOf(item.ofFew)} END`, beyondMost);
  const isEmpty = object.isEmpty && Prisma.raw(object.isEmpty(row));
  const bytes = bytesOfRows(item, rows, alias);
  const list: JsonSql = {
    sql: isEmpty ? Prisma.sql`CASE WHEN ${isEmpty} THEN '' ELSE ${items} END` : items,
    least: 0,
    more: isShort && !isLong(item) ? [] : [isEmpty ? Prisma.sql`CASE WHEN ${isEmpty} THEN 0 ELSE ${bytes} END` : bytes],
    isExpanding: item.isExpanding,
    isUnbounded: item.isUnbounded || isOfProgram,
    ofFew: isShort ? items : isOfProgram ? few : undefined,
  };
  return ['[', list, ']'];
}

const itemsOf = (item: Prisma.Sql): Prisma.Sql => Prisma.sql`coalesce(string_agg(${item}, ','), '')`;

/** The most bytes of a branch without its attributes: of 2,300 characters (`rules/branch.ts`), of four bytes each. */
const branchBytesMax = 10_000;
/** So many branches are made in a few milliseconds, whatever they are. */
export const fewMax = Math.floor(quickBytesMax / branchBytesMax);
const most = Prisma.raw(`${fewMax}`);
const beyondMost = Prisma.raw(`LIMIT ${fewMax + 1}`);

/** Of one row, which may be that of many others. */
const oneOf = (item: JsonSql, rows: Prisma.Sql, alias: string): JsonSql => ({
  sql: Prisma.sql`(SELECT ${item.sql} FROM (${rows}) AS ${Prisma.raw(alias)})`,
  least: item.least,
  more: item.more.length === 0 ? [] : [bytesOfRows({ ...item, least: 0 }, rows, alias)],
  isExpanding: true,
  isUnbounded: item.isUnbounded,
});

export const records = {
  Program: { rows: Prisma.raw(`SELECT ${programSelection} FROM programs`), programId: Prisma.raw('record.id') },
  Branch: { rows: Prisma.raw(`SELECT ${branchSelection} FROM branches`), programId: Prisma.raw('record."programId"') },
};

/** Characters of a statement and of its texts. */
export const lengthOf = ({ text, values }: Prisma.Sql): number =>
  values.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), text.length);

/** Short, since PostgreSQL cuts off a name after 63 characters. */
export const nameOf = (text: string): string => hash('sha1', text, 'base64').slice(0, 16);
