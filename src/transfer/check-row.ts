import type { z } from 'zod';
import { newBranch } from '../academics/branch.ts';
import { newProgram } from '../academics/program.ts';
import { yearsOf } from '../academics/year-codes.ts';
import type { Column, Problem, SourceRow } from './columns.ts';

/** A row that can be imported, in the form that the database takes it in. */
export interface CheckedRow {
  readonly line: number;
  /** What tells programs apart: the code, or without one the name and duration. */
  readonly program_key: string;
  readonly program_code: string;
  readonly program_name: string;
  readonly program_duration: string;
  /** `null` and so all after it: a program without branches. */
  readonly branch_name: string | null;
  readonly branch_description: string | null;
  readonly branch_code_prefix: string | null;
  readonly branch_code_is_numeric: boolean | null;
  /** The codes of the branch's years, from the first. */
  readonly year_codes: readonly string[] | null;
}

const newBranchOfRow = newBranch.omit({ programId: true });

const programColumns = {
  code: 'program_code',
  name: 'program_name',
  duration: 'program_duration',
} as const satisfies Record<keyof z.input<typeof newProgram>, Column>;

const branchColumns = {
  name: 'branch_name',
  description: 'branch_description',
  years: 'branch_years',
  codePrefix: 'branch_code_prefix',
  codeIsNumeric: 'branch_code_is_numeric',
} as const satisfies Record<keyof z.input<typeof newBranchOfRow>, Column>;

/**
 * Checks a row by the rules of the service (`contract.md` 5).
 *
 * @returns the row, normalized and with its defaults, or all that is wrong with it, by column.
 */
export function checkRow({ line, cells }: SourceRow): CheckedRow | Problem[] {
  const program = newProgram.safeParse({
    code: blankAsAbsent(cells.program_code),
    name: cells.program_name ?? undefined,
    duration: cells.program_duration ?? undefined,
  });
  const hasBranch = typeof cells.branch_name === 'string' ? cells.branch_name.trim() !== '' : cells.branch_name != null;
  const branch = hasBranch ? newBranchOfRow.safeParse(branchOf(cells)) : undefined;
  if (!program.success || branch?.success === false) {
    return [...problemsOf(line, program.error, programColumns), ...problemsOf(line, branch?.error, branchColumns)];
  }
  return { line, ...programRow(program.data), ...branchRow(branch?.data) };
}

function branchOf(cells: SourceRow['cells']) {
  return {
    name: cells.branch_name,
    description: cells.branch_description,
    years: asNumber(blankAsAbsent(cells.branch_years)),
    codePrefix: cells.branch_code_prefix,
    codeIsNumeric: asBoolean(blankAsAbsent(cells.branch_code_is_numeric)),
  };
}

function programRow({ code = '', name, duration }: z.output<typeof newProgram>) {
  return {
    // A line break cannot be in a code, so the two kinds of keys are never the same.
    program_key: code === '' ? `${name}\n${duration}` : code,
    program_code: code,
    program_name: name,
    program_duration: duration,
  };
}

function branchRow(branch: z.output<typeof newBranchOfRow> | undefined) {
  return {
    branch_name: branch?.name ?? null,
    branch_description: branch?.description ?? null,
    branch_code_prefix: branch?.codePrefix ?? null,
    branch_code_is_numeric: branch?.codeIsNumeric ?? null,
    year_codes:
      branch === undefined
        ? null
        : yearsOf(branch.years, branch.codePrefix, branch.codeIsNumeric).map(({ code }) => code),
  };
}

function blankAsAbsent(cell: unknown): unknown {
  if (cell === null || (typeof cell === 'string' && cell.trim() === '')) return undefined;
  return cell;
}

/** Text becomes the number that it writes; what writes none stays, and its rule refuses it. Spreadsheets write `4.0`. */
function asNumber(cell: unknown): unknown {
  return typeof cell === 'string' && /^\s*[+-]?\d{1,9}(?:\.\d{1,9})?\s*$/.test(cell) ? Number(cell) : cell;
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function asBoolean(cell: unknown): unknown {
  if (typeof cell !== 'string' && typeof cell !== 'number') return cell;
  return booleans.get(String(cell).trim().toLowerCase()) ?? cell;
}

/** The rules' own messages, which begin with the name of the field, with the name of the column in its place. */
function problemsOf(
  line: number,
  error: z.ZodError | undefined,
  columnOf: Readonly<Record<string, Column>>,
): Problem[] {
  return (error?.issues ?? []).map(({ path, message }) => {
    const field = String(path[0]);
    const column = columnOf[field] ?? null;
    return { line, column, message: column === null ? message : message.replace(field, column) };
  });
}
