import { shortened } from '@service/errors';
import { z } from 'zod';
import { identifierMax } from '../../../validation/identifier.ts';
import { newBranch } from '../../rules/branch.ts';
import { newProgram } from '../../rules/program.ts';
import { type CatalogRow, type Column, type Problem, valueMax } from '../columns.ts';

/** A valid row, with the column names of the staging table. */
export interface CheckedRow {
  readonly line: number;
  /** The key that matches programs: the code, or else name and duration. */
  readonly program_key: string;
  readonly program_occurrence: number;
  readonly program_code: string;
  readonly program_name: string;
  readonly program_duration: string;
  /** `null`, as all that follow: a program without branches. */
  readonly branch_name: string | null;
  readonly branch_occurrence: number | null;
  readonly branch_years: number | null;
  /** These are also `null` where the file has no value: new branches get the default, existing ones keep theirs. */
  readonly branch_description: string | null;
  readonly branch_code_prefix: string | null;
  readonly branch_code_is_numeric: boolean | null;
}

const occurrence = z
  .int('occurrence must be a whole number, 1 or more.')
  .min(1, 'occurrence must be a whole number, 1 or more.')
  .max(identifierMax, `occurrence must be at most ${identifierMax}.`)
  .default(1);

const programOfRow = newProgram.extend({ occurrence });
const branchOfRow = newBranch.omit({ programId: true }).extend({ occurrence });

const programColumns = {
  code: 'program_code',
  name: 'program_name',
  duration: 'program_duration',
  occurrence: 'program_occurrence',
} as const satisfies Record<keyof z.input<typeof programOfRow>, Column>;

const branchColumns = {
  name: 'branch_name',
  description: 'branch_description',
  years: 'branch_years',
  codePrefix: 'branch_code_prefix',
  codeIsNumeric: 'branch_code_is_numeric',
  occurrence: 'branch_occurrence',
} as const satisfies Record<keyof z.input<typeof branchOfRow>, Column>;

/** Validates a row by the rules of the service (`docs/contract.md` 5); returns it normalized, or all its problems. */
export function checkRow({ line, cells }: CatalogRow): CheckedRow | Problem[] {
  const program = programOfRow.safeParse({
    code: blankAsAbsent(cells.program_code),
    name: cells.program_name ?? undefined,
    duration: cells.program_duration ?? undefined,
    occurrence: asNumber(blankAsAbsent(cells.program_occurrence)),
  });
  const branchInput = branchOf(cells);
  const branch = hasBranchIn(cells) ? branchOfRow.safeParse(branchInput) : undefined;
  if (!program.success || branch?.success === false) {
    return [
      ...problemsOf(line, cells, program.error, programColumns),
      ...problemsOf(line, cells, branch?.error, branchColumns),
    ];
  }
  return { line, ...programRow(program.data), ...branchRow(branch?.data, branchInput) };
}

/** Columns that only branches use; `branch_code_is_numeric` is not among them, as it often has one value in all rows. */
const columnsOfBranch = ['branch_description', 'branch_years', 'branch_code_prefix'] as const;

/** The values of a row that name no branch: its name may have been forgotten. */
export function valuesWithoutBranch({ line, cells }: CatalogRow): Problem[] {
  if (hasBranchIn(cells)) return [];
  return columnsOfBranch
    .filter((column) => blankAsAbsent(cells[column]) !== undefined && asNumber(cells[column]) !== 0)
    .map((column) => ({
      line,
      column,
      message: `${column} has a value but branch_name is empty: a program without branches has no use for it.`,
      value: textOf(cells[column]),
    }));
}

function hasBranchIn({ branch_name: name }: CatalogRow['cells']): boolean {
  return typeof name === 'string' ? name.trim() !== '' : name != null;
}

function branchOf(cells: CatalogRow['cells']) {
  return {
    name: cells.branch_name,
    description: cells.branch_description,
    years: asNumber(blankAsAbsent(cells.branch_years)),
    codePrefix: cells.branch_code_prefix,
    codeIsNumeric: asBoolean(blankAsAbsent(cells.branch_code_is_numeric)),
    occurrence: asNumber(blankAsAbsent(cells.branch_occurrence)),
  };
}

function programRow({ code = '', name, duration, occurrence: number }: z.output<typeof programOfRow>) {
  return {
    // A code has no line break, so the two kinds of keys cannot collide.
    program_key: code === '' ? `${name}\n${duration}` : code,
    program_occurrence: number,
    program_code: code,
    program_name: name,
    program_duration: duration,
  };
}

function branchRow(branch: z.output<typeof branchOfRow> | undefined, input: ReturnType<typeof branchOf>) {
  return {
    branch_name: branch?.name ?? null,
    branch_occurrence: branch?.occurrence ?? null,
    branch_years: branch?.years ?? null,
    branch_description: input.description == null ? null : (branch?.description ?? null),
    branch_code_prefix: input.codePrefix == null ? null : (branch?.codePrefix ?? null),
    branch_code_is_numeric: input.codeIsNumeric == null ? null : (branch?.codeIsNumeric ?? null),
  };
}

function blankAsAbsent(cell: unknown): unknown {
  if (cell === null || (typeof cell === 'string' && cell.trim() === '')) return undefined;
  return cell;
}

/** Converts numeric text, such as the `4.0` of spreadsheets; other values stay, and validation rejects them. */
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

function problemsOf(
  line: number,
  cells: CatalogRow['cells'],
  error: z.ZodError | undefined,
  columnOf: Readonly<Record<string, Column>>,
): Problem[] {
  return (error?.issues ?? []).map(({ path, message }) => {
    const field = String(path[0]);
    const column = columnOf[field] ?? null;
    if (column === null) return { line, column, message, value: null };
    return { line, column, message: message.replace(field, column), value: textOf(cells[column]) };
  });
}

/** A cell as text; `null` for one that is absent or empty. */
function textOf(cell: unknown): string | null {
  if (cell === undefined || cell === null || cell === '') return null;
  return shortened(typeof cell === 'string' ? cell : JSON.stringify(cell), valueMax);
}
