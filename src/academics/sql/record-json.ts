// Reads records as JSON: PostgreSQL makes the text, byte for byte as GraphQL would. A record with its branches and years
// takes one statement, and this process neither parses rows nor makes objects of them.

import { queryRows } from '@service/postgres/sql';
import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { z } from 'zod';
import type { Transaction } from '../../database/types.ts';
import { boolean, branchRow, integer, programRow, text, time, yearRow } from './columns.ts';
import { branchSelection, programSelection, yearSelection } from './records.ts';

interface TypeSource {
  readonly row: z.ZodObject;
  /** What lists of its fields are read from, of the record with an alias. */
  readonly lists: Readonly<Record<string, readonly [type: JsonType, rowsOf: (record: string) => string]>>;
}

type JsonType = 'Program' | 'Branch' | 'BranchYear';

/** The types by their names in GraphQL. */
const types: Readonly<Record<JsonType, TypeSource>> = {
  Program: {
    row: programRow,
    lists: {
      branches: [
        'Branch',
        (program) => `SELECT ${branchSelection} FROM branches
          WHERE program_id = ${program}.id AND deleted_at IS NULL ORDER BY id`,
      ],
    },
  },
  Branch: {
    row: branchRow,
    lists: {
      years: [
        'BranchYear',
        (branch) => `SELECT ${yearSelection} FROM branch_years WHERE branch_id = ${branch}.id ORDER BY year`,
      ],
    },
  },
  BranchYear: { row: yearRow, lists: {} },
};

/** Reads the fields of a selection as JSON. */
export interface JsonSelection {
  /** An expression of a row `record`. */
  readonly sql: string;
  /** The statement that reads one record. */
  readonly oneRecordSql: string;
  /** Names the prepared statement. Only the first ones are prepared, since each takes memory in each connection. */
  readonly name: string | undefined;
  /** Whether branches or years are shown, too. */
  readonly showsLists: boolean;
}

const jsonSelections = new WeakMap<SelectionSetNode, JsonSelection | 'resolvers'>();

/** `undefined` when the selection shows anything but columns, branches and years, for which there are resolvers. */
export function jsonSelectionOf(type: 'Program' | 'Branch', selection: SelectionSetNode): JsonSelection | undefined {
  const known = jsonSelections.get(selection) ?? makeJsonSelection(type, selection) ?? 'resolvers';
  jsonSelections.set(selection, known);
  return known === 'resolvers' ? undefined : known;
}

/** Names of prepared statements, by the statement of one record. */
const names = new Map<string, string>();
const namesMax = 50;

const one = {
  Program: `record.id AS "programId" FROM (SELECT ${programSelection} FROM programs`,
  Branch: `record."programId" FROM (SELECT ${branchSelection} FROM branches`,
};

function makeJsonSelection(type: 'Program' | 'Branch', selection: SelectionSetNode): JsonSelection | undefined {
  const sql = recordSql(type, selection, 'record');
  if (sql === undefined) return undefined;
  const oneRecordSql = `SELECT ${sql} AS text, ${one[type]} WHERE id = $1 AND deleted_at IS NULL) AS record`;
  if (!names.has(oneRecordSql) && names.size < namesMax) names.set(oneRecordSql, `json ${names.size + 1}`);
  const showsLists = selection.selections.some((selected) => 'selectionSet' in selected && selected.selectionSet);
  return { sql, oneRecordSql, name: names.get(oneRecordSql), showsLists };
}

/** The fields of a selection by name; `undefined` when it has anything else, or one twice. */
export function fieldsOf({ selections }: SelectionSetNode): ReadonlyMap<string, FieldNode> | undefined {
  const fields = new Map<string, FieldNode>();
  for (const selected of selections) {
    if (selected.kind !== Kind.FIELD || fields.has(selected.name.value)) return undefined;
    fields.set(selected.name.value, selected);
  }
  return fields;
}

function recordSql(type: JsonType, selection: SelectionSetNode, record: string): string | undefined {
  const members: string[] = [];
  for (const [name, { selectionSet }] of fieldsOf(selection) ?? []) {
    const value = memberSql(type, { name, selection: selectionSet, record });
    if (value === undefined) return undefined;
    members.push(`'"${name}":' || ${value}`);
  }
  return members.length === 0 ? undefined : `'{' || ${members.join(` || ',' || `)} || '}'`;
}

interface Member {
  readonly name: string;
  readonly selection: SelectionSetNode | undefined;
  readonly record: string;
}

function memberSql(type: JsonType, { name, selection, record }: Member): string | undefined {
  const { row, lists } = types[type];
  if (name === '__typename') return `'"${type}"'`;
  if (selection === undefined) return columnSql(row.shape[name], `${record}."${name}"`);
  const [listed, rowsOf] = lists[name] ?? [];
  if (listed === undefined || rowsOf === undefined) return undefined;
  const alias = `${record}_${name}`;
  const item = recordSql(listed, selection, alias);
  return item && `(SELECT '[' || coalesce(string_agg(${item}, ','), '') || ']' FROM (${rowsOf(record)}) AS ${alias})`;
}

function columnSql(schema: unknown, column: string): string | undefined {
  switch (schema) {
    case integer:
    case boolean:
      return column;
    case text:
      return `to_json(${column})`;
    case time:
      return `'"' || to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`;
  }
  if (!(schema instanceof z.ZodNullable)) return undefined;
  const given = columnSql(schema.unwrap(), column);
  return given && `coalesce((${given})::text, 'null')`;
}

interface RecordJson {
  readonly text: string;
  /** The id of the program, or of the branch's program. */
  readonly programId: number;
}

/** `undefined` when there is no such record. */
export async function readRecordJson(
  db: Transaction,
  { oneRecordSql: text, name }: JsonSelection,
  id: number,
): Promise<RecordJson | undefined> {
  const named = name !== undefined && { name };
  const [found] = await queryRows<RecordJson>(db, { pipelined: true, text, values: [id], ...named });
  return found;
}
