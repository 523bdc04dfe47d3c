import type { Problem } from '@service/errors/problems';
import type { z } from 'zod';
import { problem, problemIn } from '../../../validation/problems.ts';
import type { DefinedAttributes } from '../../definitions/defined-attributes.ts';
import type { AttributeChanges } from '../../rules/attributes.ts';
import { truthOf } from '../../rules/truth-values.ts';
import { asStored } from '../../sql/columns.ts';
import {
  branchFileColumns,
  branchOfRow,
  type CatalogRow,
  type Column,
  type Conflict,
  programFileColumns,
  programOfRow,
  type RowProblem,
} from '../columns.ts';
import { attributeColumnsIn, attributesIn, type GivenAttributes } from './attribute-cells.ts';
import { isBlank, textOf } from './cell.ts';
import { doubtfulCodes, isExported } from './doubtful-codes.ts';

/** The values that the file has, by the columns of the table, and the number of years of a branch. */
interface Stored extends Readonly<Record<string, unknown>> {
  /** Absent when the row names none. */
  readonly attributes?: AttributeChanges;
}

/** A valid row, with the column names of the staging table. */
export interface CheckedRow {
  readonly line: number;
  readonly is_exported: boolean;
  /** The id that the row names; 0 for none. */
  readonly program_given_id: number;
  /** The code by which the program is found; `program` has the new one, if there is one. */
  readonly program_code: string | null;
  /** That code, or else name and duration: rows with the same key and occurrence belong to one program. */
  readonly program_key: string;
  readonly program_occurrence: number;
  /** What is wrong with the code, unless the record of the row's id has it, or the row is of an export and none has that id. */
  readonly program_doubt: Problem | null;
  readonly program: Stored;
  /** What definitions refuse of its attributes, unless the record has it already. */
  readonly program_refused: GivenAttributes['refused'];
  readonly branch_given_id: number | null;
  readonly branch_code: string | null;
  /** The code, or else the name. `null`, as all that follow: a program without branches. */
  readonly branch_key: string | null;
  readonly branch_occurrence: number | null;
  readonly branch_doubt: Problem | null;
  readonly branch: Stored | null;
  readonly branch_refused: GivenAttributes['refused'];
}

interface CheckOptions {
  readonly isJson: boolean;
  readonly defined: DefinedAttributes;
  /** Takes the retired choices of a valid row, which are accepted. */
  readonly onRetired: (cells: readonly RowProblem[]) => void;
}

/** Validates a row by the rules of the service (`docs/contract.md` 5 and 11); returns it normalized, or all its problems. */
export function checkRow(row: CatalogRow, { isJson, defined, onRetired }: CheckOptions): CheckedRow | RowProblem[] {
  const { line, cells } = row;
  const programInput = inputOf(cells, programFileColumns);
  const branchInput = inputOf(cells, branchFileColumns);
  const program = programOfRow.safeParse(programInput);
  const branch = hasBranchIn(cells) ? branchOfRow.safeParse(branchInput) : undefined;
  const programAttributes = attributesIn(row, 'program', defined);
  const branchAttributes = branch === undefined ? undefined : attributesIn(row, 'branch', defined);
  const codes = doubtfulCodes(row, isJson);
  const otherProblems = [...codes.problems, ...programAttributes.problems, ...(branchAttributes?.problems ?? [])];
  if (!program.success || branch?.success === false || otherProblems.length > 0) {
    return [
      ...problemsOf(line, cells, program.error, programFileColumns),
      ...problemsOf(line, cells, branch?.error, branchFileColumns),
      ...otherProblems,
    ];
  }
  onRetired([...programAttributes.retired, ...(branchAttributes?.retired ?? [])]);
  const { id = 0, occurrence, newCode, ...values } = program.data;
  return {
    line,
    is_exported: isExported(row),
    // A code has no line break, so the two kinds of keys cannot collide.
    program_given_id: id,
    program_code: values.code,
    program_key: values.code || `${values.name}\n${values.duration}`,
    program_occurrence: occurrence,
    program_doubt: codes.unlessKnown.program,
    program: { ...given(values, newCode, programInput), ...programAttributes.changes },
    program_refused: programAttributes.refused,
    branch_doubt: codes.unlessKnown.branch,
    branch_refused: branchAttributes?.refused ?? null,
    ...(branch === undefined ? noBranch : checkedBranch(branch.data, branchInput, branchAttributes?.changes)),
  };
}

const noBranch = { branch_given_id: null, branch_code: null, branch_key: null, branch_occurrence: null, branch: null };

function checkedBranch(
  { id = 0, occurrence, newCode, ...values }: z.output<typeof branchOfRow>,
  input: Readonly<Record<string, unknown>>,
  attributes: object | undefined,
) {
  return {
    branch_given_id: id,
    branch_code: values.code,
    branch_key: values.code || `${values.name}\n`,
    branch_occurrence: occurrence,
    branch: { ...given(values, newCode, input), ...attributes },
  };
}

/** The values that the row names, with the new code in place of the one that it is found by. */
const given = (values: object, newCode: string | undefined, input: Readonly<Record<string, unknown>>) => ({
  ...asStored(Object.fromEntries(Object.entries(values).filter(([field]) => input[field] !== undefined))),
  ...(newCode !== undefined && { code: newCode }),
});

/** The values of a row that name no branch: its name may have been forgotten. */
export function valuesWithoutBranch({ line, cells }: CatalogRow): Conflict[] {
  if (hasBranchIn(cells)) return [];
  const values = branchFileColumns
    .filter(({ field, name }) => !isOftenEqual.has(field) && !isBlank(cells[name]) && asNumber(cells[name]) !== 0)
    .map(({ name }) => name);
  return [...values, ...attributeColumnsIn(cells, 'branch')].map((column) => ({
    line,
    column,
    message: problem('NO_BRANCH', { field: column }).message,
    value: textOf(cells[column]),
    kept: null,
    keptLine: null,
    record: null,
  }));
}

/** Fields of a branch that often have one value in all rows. */
const isOftenEqual = new Set(['codeIsNumeric', 'occurrence']);

const hasBranchIn = (cells: CatalogRow['cells']): boolean => !isBlank(cells['branch_name']);

/** A cell without a value is absent. */
function inputOf(cells: CatalogRow['cells'], columns: typeof branchFileColumns): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    columns.map(({ field, type, name }) => [field, (field === 'newCode' ? asCode : readers[type])(cells[name])]),
  );
}

const asText = (cell: unknown): unknown => cell ?? undefined;
const asCode = (cell: unknown): unknown => (isBlank(cell) ? undefined : cell);

const readers = { int: asNumber, boolean: asBoolean, text: asText, jsonb: asText };

/** Converts numeric text, such as the `4.0` of spreadsheets; other values stay, and validation rejects them. */
function asNumber(cell: unknown): unknown {
  if (isBlank(cell)) return undefined;
  return typeof cell === 'string' && /^\s*[+-]?\d{1,99}(?:\.\d{1,9})?\s*$/.test(cell) ? Number(cell) : cell;
}

function asBoolean(cell: unknown): unknown {
  if (isBlank(cell)) return undefined;
  if (typeof cell !== 'string' && typeof cell !== 'number') return cell;
  return truthOf(String(cell)) ?? cell;
}

function problemsOf(
  line: number,
  cells: CatalogRow['cells'],
  error: z.ZodError | undefined,
  columns: typeof branchFileColumns,
): RowProblem[] {
  return (error?.issues ?? []).map(({ path, message }) => {
    const column: Column | null = columns.find(({ field }) => field === path[0])?.name ?? null;
    const value = column === null ? null : textOf(cells[column]);
    return { line, column, ...problemIn(message, column ?? undefined), value };
  });
}
