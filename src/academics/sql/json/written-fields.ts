import { z } from 'zod';
import type { Selection } from '../../../operations/selection.ts';
import { boolean, integer, type RecordKind, text } from '../../kinds.ts';
import { timeJson } from '../../lists/order.ts';
import { branchRow, programRow, time, yearRow } from '../columns.ts';
import { branchSelection, programSelection, yearSelection } from '../records.ts';
import { branchConnection, branchWindow } from './branch-connection.ts';
import { base64url, type Compile, type JsonSql, type JsonType, type Value } from './pieces.ts';

/** An SQL expression of the alias of a row. */
type OfRow = (row: string) => string;

type ValueOfRow = (row: string) => Value;

export interface ObjectField {
  readonly type: JsonType;
  /** A query of its rows; absent where it shows the same row. */
  readonly rows?: OfRow;
  /** Their order. */
  readonly order?: string;
  readonly isList?: boolean;
  /** Whether they are few and short. */
  readonly isShort?: boolean;
  /** A condition of a list that is known to be empty without that query, which would take ten times as long. */
  readonly isEmpty?: OfRow;
  /** Its own SQL, in place of that. */
  readonly sql?: (field: Selection, row: string, compile: Compile) => JsonSql;
  /** Whether PostgreSQL writes it for these arguments. */
  readonly accepts?: (args: Selection['args']) => boolean;
  /** Whether they are other records, of its program. */
  readonly isOfProgram?: boolean;
}

/** The fields of a type that PostgreSQL writes; a selection with any other takes resolvers. */
interface TypeFields {
  readonly values: Readonly<Record<string, ValueOfRow>>;
  readonly objects?: Readonly<Record<string, ObjectField>>;
}

const attributes: ObjectField = {
  type: 'Attribute',
  rows: (record) => `SELECT * FROM jsonb_each_text(${record}.attributes)`,
  order: 'key COLLATE "C"',
  isList: true,
  isEmpty: (record) => `${record}.attributes = '{}'`,
};

/** Values of an object that has its own SQL, or none. */
const without = (names: readonly string[]) =>
  Object.fromEntries(names.map((name): [string, ValueOfRow] => [name, (row) => ({ json: row, least: 1 })]));

const connection = (type: RecordKind): TypeFields => ({
  values: without(['totalCount']),
  objects: {
    nodes: { type, isList: true },
    edges: { type: `${type}Edge`, isList: true },
    pageInfo: { type: 'PageInfo' },
  },
});

const edge = (type: JsonType): TypeFields => ({
  values: { cursor: (row) => ({ json: `to_json(${row}.cursor)`, least: '"MQ"'.length }) },
  objects: { node: { type } },
});

/** The only place that says what PostgreSQL writes. */
export const types: Readonly<Record<JsonType, TypeFields>> = {
  Program: {
    values: { ...columnsIn(programRow), nodeId: (program) => nodeId(`'Program:' || ${program}.id`) },
    objects: {
      attributes,
      branches: {
        type: 'Branch',
        rows: (program) =>
          `SELECT ${branchSelection} FROM branches WHERE program_id = ${program}.id AND deleted_at IS NULL`,
        order: 'id',
        isList: true,
        isOfProgram: true,
      },
      branchesConnection: {
        type: 'BranchConnection',
        sql: branchConnection,
        accepts: (args) => branchWindow(args) !== undefined,
        isOfProgram: true,
      },
    },
  },
  Branch: {
    values: { ...columnsIn(branchRow), nodeId: (branch) => nodeId(`'Branch:' || ${branch}.id`) },
    objects: {
      attributes,
      years: {
        type: 'BranchYear',
        rows: (branch) => `SELECT ${yearSelection} FROM branch_years WHERE branch_id = ${branch}.id`,
        order: 'year',
        isList: true,
        isShort: true,
      },
      // Of an existing branch, it exists: a program is deleted together with its branches.
      program: {
        type: 'Program',
        rows: (branch) => `SELECT ${programSelection} FROM programs WHERE id = ${branch}."programId"`,
        isOfProgram: true,
      },
    },
  },
  BranchYear: {
    values: {
      ...columnsIn(yearRow),
      nodeId: (year) => nodeId(`'BranchYear:' || ${year}."branchId" || ':' || ${year}.year`),
    },
  },
  Attribute: { values: { key: (row) => textJson(`${row}.key`), value: (row) => textJson(`${row}.value`) } },
  ProgramPage: {
    values: without(['pageNumber', 'pageSize', 'totalPages', 'count', 'hasPreviousPage', 'hasNextPage']),
    objects: { items: { type: 'Program', isList: true } },
  },
  ProgramConnection: connection('Program'),
  BranchConnection: connection('Branch'),
  PageInfo: { values: without(['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor']) },
  ProgramEdge: edge('Program'),
  BranchEdge: edge('Branch'),
};

function columnsIn({ shape }: z.ZodObject): Record<string, ValueOfRow> {
  const fields = Object.entries(shape).filter(([name, schema]) => columnJson(schema, name) !== undefined);
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, (row) => columnJson(schema, `${row}."${name}"`) ?? { json: row, least: 0 }]),
  );
}

function textJson(text: string): Value {
  return { json: `to_json(${text})`, least: '""'.length, text };
}

function columnJson(schema: unknown, column: string): Value | undefined {
  switch (schema) {
    case integer:
      return { json: column, least: 1 };
    case boolean:
      return { json: column, least: 'true'.length };
    case text:
      return textJson(column);
    case time:
      return { json: timeJson(column), least: JSON.stringify(new Date(0)).length };
  }
  if (!(schema instanceof z.ZodNullable)) return undefined;
  const given = columnJson(schema.unwrap(), column);
  return given && { ...given, json: `coalesce((${given.json})::text, 'null')`, least: 1 };
}

const nodeId = (key: string): Value => ({
  json: `'"' || ${base64url(key)} || '"'`,
  least: Buffer.from('Branch:1').toString('base64url').length,
});
