import type { Problem } from '@service/errors/problems';
import { type ColumnMapping, createColumnOf, normalizedName, type SourceRow } from '@service/tabular/rows';
import { z } from 'zod';
import { issue } from '../../validation/problems.ts';
import { singleLine } from '../../validation/text.ts';
import { identifierMax } from '../../validation/validate.ts';
import { branchFields, columnOf, columnsOf, type KindWord, kindWords, programFields } from '../kinds.ts';
import { isAttributeKey } from '../rules/attributes.ts';
import { newBranch } from '../rules/branch.ts';
import { newProgram } from '../rules/program.ts';
import { codeMax } from '../rules/records.ts';

/** A name of `knownColumns`, or of an attribute: `program_attr:KEY`, `branch_attr:KEY`. */
export type Column = string;

/** Columns by their names in a file. */
export type Mapping = ColumnMapping<Column>;

export type CatalogRow = SourceRow<Column>;

const positive = (field: string) => {
  const problem = issue('NOT_POSITIVE', { field });
  return z.number(problem).refine((value) => Number.isInteger(value) && value >= 1, problem);
};
const occurrence = positive('occurrence')
  .refine((value) => value <= identifierMax, issue('TOO_LARGE', { field: 'occurrence', max: identifierMax }))
  .default(1);
/** A larger id than the largest is cut to that one: both are ids that no record has. */
const id = positive('id')
  .transform((value) => Math.min(value, identifierMax))
  .optional();
const newCode = singleLine('newCode', { max: codeMax }).optional();

/**
 * The fields of a row: those that clients may set, in the order of `export`, and those that name the record, its id and
 * its number among its equals. A new code replaces the code by which the record is found.
 */
export const programOfRow = z.object({
  id,
  ...newProgram.omit({ attributes: true }).shape,
  newCode,
  occurrence,
});
export const branchOfRow = z.object({
  id,
  ...newBranch.omit({ programId: true, attributes: true }).shape,
  newCode,
  occurrence,
});
const isValue = ({ field }: { readonly field: string }): boolean => !['id', 'newCode', 'occurrence'].includes(field);

const fileColumnsOf = (kind: KindWord, { shape }: z.ZodObject, fields: z.ZodObject) => {
  const stored = columnsOf(fields);
  return Object.entries(shape).map(([field, rule]) => {
    const column = columnOf(field);
    // What is not stored in a column of the record is a number, but for a new code.
    const type = field === 'newCode' ? 'text' : (stored.find((some) => some.column === column)?.type ?? 'int');
    const { success, data: fallback } = z.safeParse(rule, undefined);
    return { name: `${kind}_${column}`, field, column, type, isRequired: !success, fallback };
  });
};

export const programFileColumns = fileColumnsOf('program', programOfRow, programFields);
export const branchFileColumns = fileColumnsOf('branch', branchOfRow, branchFields);

/** Columns that are values of the record. */
export const valueColumns = {
  program: programFileColumns.filter(isValue),
  branch: branchFileColumns.filter(isValue),
};

/** The values of a new record where a row has none, by column: JSON in SQL. */
const defaultsOf = (some: typeof programFileColumns): string =>
  `'${JSON.stringify({ ...Object.fromEntries(some.map(({ column, fallback }) => [column, fallback])), attributes: {} })}'::jsonb`;
export const programDefaults = defaultsOf(valueColumns.program);
export const branchDefaults = defaultsOf(valueColumns.branch);

const allColumns = [...programFileColumns, ...branchFileColumns];
const namesOf = (some: typeof allColumns): Column[] => some.map(({ name }) => name);

const named = (...fields: readonly string[]): Column[] =>
  namesOf(allColumns.filter(({ field }) => fields.includes(field)));

/** The columns of an export (`docs/contract.md` 11). */
export const columns = namesOf(allColumns.filter((some) => some.field === 'id' || isValue(some)));

/** Columns that `export` has only when there are equal records. */
export const occurrenceColumns = named('occurrence');

/** Columns of codes: a number that a spreadsheet has shortened is an error there. */
export const codeColumns = named('code', 'newCode');

/** Columns with all attributes of a record in one value, as in JSON: an object of texts. */
export const attributesColumns = { program: 'program_attributes', branch: 'branch_attributes' } as const;

const knownColumns = [...columns, ...named('newCode'), ...occurrenceColumns, ...Object.values(attributesColumns)];

export const attributePrefixes = { program: 'program_attr:', branch: 'branch_attr:' } as const;

/** The attribute of a column; `undefined` for another column. */
export function attributeOf(column: Column): { readonly kind: KindWord; readonly key: string } | undefined {
  const kind = kindWords.find((some) => column.startsWith(attributePrefixes[some]));
  return kind && { kind, key: column.slice(attributePrefixes[kind].length) };
}

/** The column of an attribute with this name; its key is as in the file. */
function attributeColumn(name: string): Column | undefined {
  const end = name.indexOf(':') + 1;
  const before = end === 0 ? '' : normalizedName(name.slice(0, end));
  const prefix = Object.values(attributePrefixes).find((some) => normalizedName(some) === before);
  const key = name.slice(end).trim();
  return prefix !== undefined && isAttributeKey(key) ? prefix + key : undefined;
}

/** The names of columns in messages. */
export const columnNames = [...knownColumns, ...Object.values(attributePrefixes).map((prefix) => `${prefix}KEY`)];

const requiredOf = (some: typeof allColumns): Column[] => namesOf(some.filter(({ isRequired }) => isRequired));

const isOfProgram = (column: Column): boolean => column.startsWith('program_');

/** Columns for the reader of files: a file without any column of branches is a list of programs. */
export const fileColumns = {
  known: knownColumns,
  required: requiredOf(programFileColumns),
  requiredWith: (found: readonly Column[]): readonly Column[] =>
    found.some((column) => column.startsWith('branch_')) ? requiredOf(branchFileColumns) : [],
  further: attributeColumn,
  /** A program that is named once stands above the rows of its branches. */
  filled: {
    keys: named('id', 'code', 'newCode', 'name').filter(isOfProgram),
    has: (column: Column) => isOfProgram(column),
  },
  numeric: namesOf(allColumns.filter(({ type }) => type === 'int')),
  exact: namesOf(allColumns.filter(({ field }) => /(?:code|name|duration|prefix)$/i.test(field))),
};

export interface RowProblem extends Problem {
  readonly line: number;
  /** `null` when it concerns the whole row. */
  readonly column: Column | null;
  /** The beginning of the cell's text; `null` for an empty cell or a problem of the whole row. */
  readonly value: string | null;
}

/** A value of the file that is not used. */
export interface Conflict extends Omit<RowProblem, 'rule' | 'details'> {
  /** The value that is used instead, cut like `value`; `null` where there is no record to have one. */
  readonly kept: string | null;
  /** The line of the file that has it; `null` for the catalog. */
  readonly keptLine: number | null;
  readonly record: ComparedRecord | null;
}

/** The record that a row is compared with. */
export interface ComparedRecord {
  readonly kind: KindWord;
  /** `null` for one that does not exist yet. */
  readonly id: number | null;
  readonly name: string;
  readonly programName: string | null;
}

/** The columns whose values of existing records an import may leave as they are. */
export function keptColumnNamed(name: string): Column | undefined {
  const column = columnNamed(name);
  const keepable = [...valueColumns.program, ...valueColumns.branch].map((some) => some.name);
  const all: readonly Column[] = Object.values(attributesColumns);
  const isKeepable =
    column !== undefined && (keepable.includes(column) || all.includes(column) || column.includes(':'));
  return isKeepable ? column : undefined;
}

/** Finds a column of the format, or of an attribute, by its name: with any case, spaces and hyphens. */
export const columnNamed = createColumnOf({ columns: fileColumns, mapping: new Map() });
