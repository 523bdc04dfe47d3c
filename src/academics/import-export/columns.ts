import { type ColumnMapping, normalizedName, type SourceRow } from '@service/tabular/rows';
import { z } from 'zod';
import { identifierMax } from '../../validation/validate.ts';
import { isAttributeKey } from '../rules/attributes.ts';
import { newBranch } from '../rules/branch.ts';
import { newProgram } from '../rules/program.ts';
import { columnOf } from '../sql/columns.ts';

/** A name of `knownColumns`, or of an attribute: `program_attr:KEY`, `branch_attr:KEY`. */
export type Column = string;

/** Columns by their names in a file. */
export type Mapping = ColumnMapping<Column>;

export type CatalogRow = SourceRow<Column>;

const occurrence = z
  .int('occurrence must be a whole number, 1 or more.')
  .min(1, 'occurrence must be a whole number, 1 or more.')
  .max(identifierMax, `occurrence must be at most ${identifierMax}.`)
  .default(1);

/** What clients may set is what a row has, in the order of `export`, and the number of the record among its equals. */
export const programOfRow = newProgram.omit({ attributes: true }).extend({ occurrence });
export const branchOfRow = newBranch.omit({ programId: true, attributes: true }).extend({ occurrence });

const fileColumnsOf = (kind: 'program' | 'branch', { shape }: z.ZodObject) =>
  Object.entries(shape).map(([field, rule]) => {
    const column = columnOf(field);
    const { success, data: fallback } = z.safeParse(rule, undefined);
    return { name: `${kind}_${column}`, field, column, isRequired: !success, fallback };
  });

export const programFileColumns = fileColumnsOf('program', programOfRow);
export const branchFileColumns = fileColumnsOf('branch', branchOfRow);

/** What a new record has where a row has no value, as SQL. */
const defaultsOf = (table: string, some: typeof programFileColumns): string => {
  const values = { ...Object.fromEntries(some.map(({ column, fallback }) => [column, fallback])), attributes: {} };
  return `jsonb_populate_record(NULL::${table}, '${JSON.stringify(values)}')`;
};
export const programDefaults = defaultsOf('programs', programFileColumns);
export const branchDefaults = defaultsOf('branches', branchFileColumns);

const allColumns = [...programFileColumns, ...branchFileColumns];
const namesOf = (some: typeof allColumns): Column[] => some.map(({ name }) => name);

/** The columns of the import format (`docs/contract.md` 11). */
export const columns = namesOf(allColumns.filter(({ field }) => field !== 'occurrence'));

/** Those that `export` has only when there are equal records. */
export const occurrenceColumns = namesOf(allColumns.filter(({ field }) => field === 'occurrence'));

export type Kind = 'program' | 'branch';

/** All attributes of a record in one value, as JSON has them: an object of texts. */
export const attributesColumns = { program: 'program_attributes', branch: 'branch_attributes' } as const;

export const knownColumns = [...columns, ...occurrenceColumns, ...Object.values(attributesColumns)];

export const attributePrefixes = { program: 'program_attr:', branch: 'branch_attr:' } as const;

/** The column of an attribute with this name; its key has the letter case of the file. */
export function attributeColumn(name: string): Column | undefined {
  const trimmed = name.trim();
  const prefix = Object.values(attributePrefixes).find((some) => normalizedName(trimmed).startsWith(some));
  const key = trimmed.slice(prefix?.length);
  return prefix !== undefined && isAttributeKey(key) ? prefix + key : undefined;
}

/** For people who name columns. */
export const columnNames = [...knownColumns, ...Object.values(attributePrefixes).map((prefix) => `${prefix}KEY`)];

const requiredOf = (some: typeof allColumns): Column[] => namesOf(some.filter(({ isRequired }) => isRequired));

/** As the reader of files takes them: a file without any column of branches is a list of programs. */
export const fileColumns = {
  known: knownColumns,
  required: requiredOf(programFileColumns),
  requiredWith: (found: readonly Column[]): readonly Column[] =>
    found.some((column) => column.startsWith('branch_')) ? requiredOf(branchFileColumns) : [],
  further: attributeColumn,
  numeric: namesOf(allColumns.filter(({ field }) => ['years', 'occurrence'].includes(field))),
  exact: namesOf(allColumns.filter(({ field }) => /(?:code|name|duration|prefix)$/i.test(field))),
};

/** Number of characters that a report shows of a value. */
export const valueMax = 100;

export interface Problem {
  readonly line: number;
  /** `null` when it concerns the whole row. */
  readonly column: Column | null;
  readonly message: string;
  /** What the file has there, cut to `valueMax` characters; `null` when that is nothing, or concerns the row. */
  readonly value: string | null;
}

/** A value of the file that is not used. */
export interface Conflict extends Problem {
  /** The value that is used instead, cut like `value`; `null` where there is no record to have one. */
  readonly kept: string | null;
  /** The line of the file that has it; `null` for the catalog. */
  readonly keptLine: number | null;
  readonly record: ComparedRecord | null;
}

/** The record that a row is compared with. */
export interface ComparedRecord {
  readonly kind: 'program' | 'branch';
  /** `null` for one that does not exist yet. */
  readonly id: number | null;
  readonly name: string;
  /** The name of the program of a branch. */
  readonly programName: string | null;
}

/** The column with a name of the format, or of an attribute, whatever its case. */
export function columnNamed(name: string): Column | undefined {
  const normalized = normalizedName(name);
  return knownColumns.find((column) => column === normalized) ?? attributeColumn(name);
}
