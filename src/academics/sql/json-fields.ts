import { z } from 'zod';
import { boolean, branchRow, integer, programRow, text, time, yearRow } from './columns.ts';
import { branchSelection, programSelection, yearSelection } from './records.ts';

export type JsonType = 'Program' | 'ProgramEdge' | 'Branch' | 'BranchEdge' | 'BranchYear' | 'Attribute';

/** An SQL expression of the alias of a row. */
type OfRow = (row: string) => string;

export interface ObjectField {
  readonly type: JsonType;
  /** A query of its rows; absent where it shows the same row. */
  readonly rows?: OfRow;
  readonly isList?: boolean;
  /** Whether they are other records, of its program. */
  readonly isOfProgram?: boolean;
}

/** The fields of a type that PostgreSQL writes; a selection with any other takes resolvers. */
interface TypeFields {
  readonly values: Readonly<Record<string, OfRow>>;
  readonly objects?: Readonly<Record<string, ObjectField>>;
}

const attributes: ObjectField = {
  type: 'Attribute',
  rows: (record) => `SELECT * FROM jsonb_each_text(${record}.attributes) ORDER BY key COLLATE "C"`,
  isList: true,
};

const edge = (type: JsonType): TypeFields => ({
  values: { cursor: (row) => `to_json(${row}.cursor)` },
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
          `SELECT ${branchSelection} FROM branches WHERE program_id = ${program}.id AND deleted_at IS NULL ORDER BY id`,
        isList: true,
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
        rows: (branch) => `SELECT ${yearSelection} FROM branch_years WHERE branch_id = ${branch}.id ORDER BY year`,
        isList: true,
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
  Attribute: { values: { key: (row) => `to_json(${row}.key)`, value: (row) => `to_json(${row}.value)` } },
  ProgramEdge: edge('Program'),
  BranchEdge: edge('Branch'),
};

function columnsIn({ shape }: z.ZodObject): Record<string, OfRow> {
  const fields = Object.entries(shape).filter(([name, schema]) => columnJson(schema, name) !== undefined);
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, (row) => `${columnJson(schema, `${row}."${name}"`)}`]),
  );
}

function columnJson(schema: unknown, column: string): string | undefined {
  switch (schema) {
    case integer:
    case boolean:
      return column;
    case text:
      return `to_json(${column})`;
    case time:
      return timeJson(column);
  }
  if (!(schema instanceof z.ZodNullable)) return undefined;
  const given = columnJson(schema.unwrap(), column);
  return given && `coalesce((${given})::text, 'null')`;
}

export function timeJson(time: string): string {
  return `'"' || to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`;
}

/** PostgreSQL has no base64url, and breaks lines. */
export const base64url = (text: string): string =>
  `translate(encode(convert_to(${text}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`;

const nodeId = (key: string): string => `'"' || ${base64url(key)} || '"'`;
