import { z } from 'zod';
import { storedAttributes } from './rules/attributes.ts';

/*
 * The two kinds of records of the catalog, each in all its spellings, with the fields that clients set: listed once for
 * raw SQL, change log, audit log, import and export.
 */

/** A kind as the audit log and SQL spell it; GraphQL has it in upper case, files and the command line in lower case. */
export const recordKinds = ['Program', 'Branch'] as const;
export type RecordKind = (typeof recordKinds)[number];

export type Table = 'programs' | 'branches';

/** A kind in files, reports and on the command line. */
export const kindWords = ['program', 'branch'] as const;
export type KindWord = (typeof kindWords)[number];

/** A kind in the change log, as GraphQL has it. */
type LoggedKind = 'PROGRAM' | 'BRANCH';

export const integer = z.number();
export const text = z.string();
export const boolean = z.boolean();

/** Set by clients, and shown in the audit log. */
export const programFields = z.object({
  name: text,
  duration: text,
  code: text.nullable(),
  attributes: storedAttributes,
});

/** Set by clients, and shown in the audit log, together with the number of years. */
export const branchFields = z.object({
  programId: integer,
  code: text.nullable(),
  name: text,
  description: text,
  codePrefix: text,
  codeIsNumeric: boolean,
  attributes: storedAttributes,
});

/** The column of a field: `codePrefix` is `code_prefix`. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of a record as JSON, in SQL, with further ones; `record` is a table, or a row in parentheses. */
const fieldsIn = (record: string, { shape }: z.ZodObject, ...further: readonly string[]): string =>
  `jsonb_build_object(${[...Object.keys(shape).map((field) => `'${field}', ${record}.${columnOf(field)}`), ...further]})`;

interface Column {
  readonly column: string;
  /** In SQL. */
  readonly type: 'int' | 'boolean' | 'text' | 'jsonb';
  /** Its value in a snapshot, in SQL. */
  readonly in: (snapshot: string) => string;
}

function typeOf(rule: unknown): Column['type'] {
  const stored = rule instanceof z.ZodNullable ? rule.unwrap() : rule;
  if (stored === integer) return 'int';
  if (stored === boolean) return 'boolean';
  return stored === text ? 'text' : 'jsonb';
}

/** The columns of fields. */
export const columnsOf = ({ shape }: z.ZodObject): readonly Column[] =>
  Object.entries(shape).map(([field, rule]) => {
    const type = typeOf(rule);
    const value = (snapshot: string): string => `${snapshot} ${type === 'jsonb' ? '->' : '->>'} '${field}'`;
    const isText = type === 'text' || type === 'jsonb';
    return {
      column: columnOf(field),
      type,
      in: (snapshot) => (isText ? value(snapshot) : `(${value(snapshot)})::${type}`),
    };
  });

const countedYears = (branch: string): string => `(SELECT count(*) FROM branch_years WHERE branch_id = ${branch}.id)`;

interface Kind {
  readonly table: Table;
  readonly word: KindWord;
  readonly logged: LoggedKind;
  readonly fields: z.ZodObject;
  /** A record as the audit log shows it, in SQL; the years of a branch are SQL too, of a stored one by default. */
  readonly snapshot: (record: string, years?: string) => string;
}

export const kinds = {
  Program: {
    table: 'programs',
    word: 'program',
    logged: 'PROGRAM',
    fields: programFields,
    snapshot: (record) => fieldsIn(record, programFields),
  },
  Branch: {
    table: 'branches',
    word: 'branch',
    logged: 'BRANCH',
    fields: branchFields,
    snapshot: (record, years = countedYears(record)) => fieldsIn(record, branchFields, `'years', ${years}`),
  },
} as const satisfies Readonly<Record<RecordKind, Kind>>;

/** Snapshots of stored records, of a table with this name; null for a row that a join has not found. */
export const snapshotOf = (kind: RecordKind, table: string): string =>
  `CASE WHEN ${table}.id IS NOT NULL THEN ${kinds[kind].snapshot(table)} END`;

/** The kind that files and the command line call so. */
export const kindOf = (word: KindWord): RecordKind => (word === 'program' ? 'Program' : 'Branch');

export const tableOf = (word: KindWord): Table => kinds[kindOf(word)].table;
