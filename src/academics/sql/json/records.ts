// Compiles selected fields to SQL: PostgreSQL makes the JSON, byte for byte as GraphQL would. A record with all levels below
// it takes one statement, and this process neither parses rows nor makes objects of them.

import { hash } from 'node:crypto';
import { type AnyTransaction, queryRows } from '@service/postgres/sql';
import { Prisma } from '../../../generated/prisma/client.ts';
import { isRepeated, type Selection } from '../../../operations/selection.ts';
import type { RecordKind } from '../../kinds.ts';
import { branchSelection, programSelection } from '../records.ts';
import { type ObjectField, types } from './fields.ts';
import { type Compile, type JsonType, joined, objectPieces, type Piece } from './pieces.ts';

/** Selected fields of a record as JSON. */
export interface RecordJson {
  /** An expression of a row `record`. Keys and punctuation are parameters: other spellings have the same text. */
  readonly sql: Prisma.Sql;
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
  /** Columns of `ListsText`: an aggregate over rows `record`. */
  readonly columns: Prisma.Sql;
  /** These columns, with `null` for all lists when they have more bytes together. */
  shown(bytesMax: number): Prisma.Sql;
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
  const texts = lists.map(
    ({ sql }, index) => Prisma.sql`coalesce(string_agg(${sql}, ',') ${clause}, '') AS ${Prisma.raw(`list${index}`)}`,
  );
  const names = texts.map((_, index) => `list${index}`);
  const bytes = Prisma.raw(names.map((name) => `octet_length(${name})`).join(' + '));
  return {
    columns: Prisma.join([Prisma.sql`${ids} AS "programIds"`, ...texts]),
    shown: (bytesMax) =>
      Prisma.join([
        Prisma.raw('"programIds"'),
        ...names.map(
          (name) => Prisma.sql`CASE WHEN ${bytes} <= ${bytesMax} THEN ${Prisma.raw(name)} END AS ${Prisma.raw(name)}`,
        ),
      ]),
    name: nameOf(lists.map(({ name }) => name).join()),
    readsOthers: lists.some(({ readsOthers }) => readsOthers),
  };
}

function jsonOf(type: JsonType, fields: readonly Selection[]): RecordJson {
  const sql = objectSql(type, fields, 'record');
  return {
    sql,
    name: nameOf(sql.text),
    isOfProgram: shows(type, fields, ({ isOfProgram = false }) => isOfProgram),
    readsOthers: shows(
      type,
      fields,
      ({ rows, sql: own, type: shown }) => shown !== 'Attribute' && (rows ?? own) !== undefined,
    ),
  };
}

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
  if (value !== undefined) return [Prisma.raw(value(row))];
  if (object === undefined) return [`"${type}"`];
  if (object.sql !== undefined) return [object.sql(field, row, objectSql)];
  if (object.rows === undefined) return piecesOf(object.type, fields, row);
  const alias = `${row}_${name}`;
  const item = objectSql(object.type, fields, alias);
  const from = Prisma.raw(`FROM (${object.rows(row)}) AS ${alias}`);
  if (object.isList !== true) return [Prisma.sql`(SELECT ${item} ${from})`];
  const items = Prisma.sql`(SELECT coalesce(string_agg(${item}, ','), '') ${from})`;
  const isEmpty = object.isEmpty && Prisma.raw(object.isEmpty(row));
  return ['[', isEmpty ? Prisma.sql`CASE WHEN ${isEmpty} THEN '' ELSE ${items} END` : items, ']'];
}

interface FoundJson {
  /** `null` when it is too large. */
  readonly text: string | null;
  /** The id of the program, or of the branch's program. */
  readonly programId: number;
}

const records = {
  Program: { rows: Prisma.raw(`SELECT ${programSelection} FROM programs`), programId: Prisma.raw('record.id') },
  Branch: { rows: Prisma.raw(`SELECT ${branchSelection} FROM branches`), programId: Prisma.raw('record."programId"') },
};

/** Prepares a statement that reads a record by its id; it gives `undefined` when there is no such record. */
export function recordReader(type: RecordKind, { sql, name }: RecordJson) {
  const { rows, programId } = records[type];
  // Made once, and measured, since the subquery stays one.
  const { text, values } = Prisma.sql`
    SELECT CASE WHEN octet_length(text) <= ${0} THEN text END AS text, "programId" FROM (
      SELECT ${sql} AS text, ${programId} AS "programId" FROM (${rows} WHERE deleted_at IS NULL AND id = ${0}) AS record
      OFFSET 0
    ) AS found`;
  const constant = values.slice(1, -1);
  return async (db: AnyTransaction, id: number, bytesMax: number): Promise<FoundJson | undefined> => {
    const statement = { name: `${type} ${name}`, pipelined: true, text, values: [bytesMax, ...constant, id] };
    return (await queryRows<FoundJson>(db, statement))[0];
  };
}

/** Short, since PostgreSQL cuts off a name after 63 characters. */
export const nameOf = (text: string): string => hash('sha1', text, 'base64').slice(0, 16);
