// Records that PostgreSQL writes as JSON, byte for byte as GraphQL would: with their branches and years they take one
// statement, and this process neither reads rows nor makes objects of them.

import { queryRows } from '@service/postgres/sql';
import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { z } from 'zod';
import type { Transaction } from '../../database/types.ts';
import { boolean, branchRow, integer, programRow, text, time, yearRow } from './columns.ts';
import { branchSelection, programSelection, yearSelection } from './records.ts';

interface Written {
  readonly row: z.ZodObject;
  /** What lists of its fields are read from, of the record with an alias. */
  readonly lists: Readonly<Record<string, readonly [type: WrittenType, rowsOf: (record: string) => string]>>;
}

type WrittenType = 'Program' | 'Branch' | 'BranchYear';

/** By the names of GraphQL. */
const types: Readonly<Record<WrittenType, Written>> = {
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

/** How PostgreSQL writes the records of a selection. */
export interface Writer {
  /** An expression of a row `record`. */
  readonly sql: string;
  /** The statement that writes one record. */
  readonly ofOne: string;
  /** Of statements that are prepared; the first ones only, since each takes memory in each connection. */
  readonly name: string | undefined;
  /** Whether branches or years are shown, too. */
  readonly showsLists: boolean;
}

const writers = new WeakMap<SelectionSetNode, Writer | 'resolvers'>();

/** `undefined` when the selection shows anything but columns, branches and years, for which there are resolvers. */
export function writerOf(type: 'Program' | 'Branch', selection: SelectionSetNode): Writer | undefined {
  const known = writers.get(selection) ?? makeWriter(type, selection) ?? 'resolvers';
  writers.set(selection, known);
  return known === 'resolvers' ? undefined : known;
}

/** By the statement of one record. */
const names = new Map<string, string>();
const namesMax = 50;

const one = {
  Program: `record.id AS "programId" FROM (SELECT ${programSelection} FROM programs`,
  Branch: `record."programId" FROM (SELECT ${branchSelection} FROM branches`,
};

function makeWriter(type: 'Program' | 'Branch', selection: SelectionSetNode): Writer | undefined {
  const sql = recordSql(type, selection, 'record');
  if (sql === undefined) return undefined;
  const ofOne = `SELECT ${sql} AS text, ${one[type]} WHERE id = $1 AND deleted_at IS NULL) AS record`;
  if (!names.has(ofOne) && names.size < namesMax) names.set(ofOne, `written ${names.size + 1}`);
  const showsLists = selection.selections.some((selected) => 'selectionSet' in selected && selected.selectionSet);
  return { sql, ofOne, name: names.get(ofOne), showsLists };
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

function recordSql(type: WrittenType, selection: SelectionSetNode, record: string): string | undefined {
  const written: string[] = [];
  for (const [name, { selectionSet }] of fieldsOf(selection) ?? []) {
    const value = memberSql(type, { name, selection: selectionSet, record });
    if (value === undefined) return undefined;
    written.push(`'"${name}":' || ${value}`);
  }
  return written.length === 0 ? undefined : `'{' || ${written.join(` || ',' || `)} || '}'`;
}

interface Member {
  readonly name: string;
  readonly selection: SelectionSetNode | undefined;
  readonly record: string;
}

function memberSql(type: WrittenType, { name, selection, record }: Member): string | undefined {
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

interface WrittenRecord {
  readonly text: string;
  /** Of the program, or that of the branch. */
  readonly programId: number;
}

/** `undefined` when there is no such record. */
export async function writtenRecord(
  db: Transaction,
  { ofOne: text, name }: Writer,
  id: number,
): Promise<WrittenRecord | undefined> {
  const named = name !== undefined && { name };
  const [found] = await queryRows<WrittenRecord>(db, { pipelined: true, text, values: [id], ...named });
  return found;
}
