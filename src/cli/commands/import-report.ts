import { type FileHandle, open } from 'node:fs/promises';
import type { RowProblem } from '../../academics/import-export/columns.ts';
import { type Capped, quoted } from '../../academics/import-export/import/compare-rows.ts';
import type { ImportResult } from '../../academics/import-export/import/import-rows.ts';
import type { FileImportResult } from '../../academics/import-export/import/importer.ts';
import { type RejectedRow, rejectedHeader, rejectedLine } from '../../academics/import-export/rejected-rows.ts';
import { reportOf } from '../../academics/import-export/report.ts';
import type { CliContext } from '../cli-context.ts';
import { CommandFailure } from '../errors.ts';
import { readable } from '../progress.ts';

/** Limits of the printed lists; `--json` lists more. */
const problemsShown = 100;
const conflictsShown = 20;
const changesShown = 100;

interface Modes {
  readonly dryRun: boolean;
  readonly update: boolean;
}

/** How a text was read, `null` for a workbook, and whether nothing said that. */
export type TextRead = Pick<FileImportResult, 'encoding' | 'encodingGuessed'>;

export type ReadFile = ImportResult & TextRead & Pick<FileImportResult, 'found'>;

export function summaryOf(file: string, modes: Modes, result: ReadFile) {
  const { encoding, encodingGuessed, found } = result;
  return { file, ...modes, ...reportOf(result), encoding, encodingGuessed, ...found };
}

/** What a file has beside the rows of its table, or hidden among them. */
export function sentencesOf({ repeatedHeaders, hiddenRows, hiddenColumns }: ReadFile['found'], skipHidden: boolean) {
  const hidden = `${readable(hiddenRows)} and ${readable(hiddenColumns)}`;
  return [
    ...(repeatedHeaders > 0
      ? [`Rows left out that repeat the names of the columns: ${readable(repeatedHeaders)}.`]
      : []),
    ...(hiddenRows + hiddenColumns > 0
      ? [
          `Hidden rows and columns: ${hidden}, ${skipHidden ? 'left out' : 'read as all others; --skip-hidden leaves them out'}.`,
        ]
      : []),
  ];
}

/** Prints the result of an import: errors on standard error, the summary on standard output. */
export function printReport({ stdout, stderr }: CliContext, file: string, result: ImportResult): void {
  const { outcome, rows, skipped, programs, branches, years, repeated, problems, conflicts, changes, missing } = result;
  stderr.write(listOf('Errors', problems, problemsShown));
  if (outcome === 'rejected') return;
  if (result.ids === 'ofAnotherCatalog') {
    stderr.write('The ids of the file are of another catalog: its rows are matched by codes and names.\n');
  }
  stderr.write(listOf('Values that are not used', conflicts, conflictsShown));
  stderr.write(
    listOf('New records in the place of others; --renamed takes them for renamed', renamedIn(result), conflictsShown),
  );
  stderr.write(listOf('Retired choices, which are imported', result.retired, conflictsShown));
  stderr.write(listOf('Codes that several records have', result.ambiguousCodes, conflictsShown));
  stderr.write(listOf('New records that are nearly others, or deleted', result.nearlyEqual, conflictsShown));
  const isChecked = outcome === 'checked';
  const of = `${readable(rows - skipped)} of ${readable(rows)} rows of ${file}`;
  const skippedText = skipped > 0 ? `; the others have errors and ${isChecked ? 'would be' : 'were'} skipped` : '';
  const inTense = (past: string, future: string) => (count: number) =>
    `${readable(count)} ${isChecked ? future : past}`;
  const [created, changed, removed] = [
    inTense('created', 'to create'),
    inTense('changed', 'to change'),
    inTense('removed', 'to remove'),
  ];
  const ifAny = (count: number, text: (count: number) => string, before = ', ') =>
    count > 0 ? before + text(count) : '';
  const existing = (count: number) => `, ${readable(count)} already existing`;
  stdout.write(
    `${isChecked ? 'Dry run, nothing changed:' : 'Imported'} ${of}${skippedText}.\n` +
      `  programs  ${created(programs.created)}${ifAny(programs.changed, changed)}${existing(programs.unchanged)}\n` +
      `  branches  ${created(branches.created)}${ifAny(branches.changed, changed)}${existing(branches.unchanged)}` +
      `${ifAny(repeated, (count) => `${readable(count)} rows repeated`)}\n` +
      `  years     ${created(years.created)}${ifAny(years.changed, changed)}${ifAny(years.removed, removed)}\n` +
      ifAny(
        isChecked ? missing.total : 0,
        (count) => `${readable(count)} records are not in the file; --json lists them.\n`,
        '  ',
      ) +
      listOf(isChecked ? 'Would change' : 'Changed', changes, changesShown),
  );
}

function renamedIn({ perhapsRenamed: { total, listed } }: ImportResult): Capped<Pick<RowProblem, 'line' | 'message'>> {
  const named = (name: string, code: string | null): string => quoted(code === null ? name : `${code} ${name}`);
  const sentences = listed.map(({ line, kind, name, code, recordId, oldName, oldCode }) => ({
    line,
    message: `${kind} ${named(name, code)} stands in the place of ${recordId}, ${named(oldName, oldCode)}.`,
  }));
  return { total, listed: sentences };
}

function listOf(title: string, { total, listed }: Capped<Pick<RowProblem, 'line' | 'message'>>, max: number): string {
  if (total === 0) return '';
  const shown = listed.slice(0, max).map(({ line, message }) => `  line ${line}: ${message}\n`);
  const rest = total > shown.length ? `  and ${readable(total - shown.length)} more\n` : '';
  return `${title} (${readable(total)}):\n${shown.join('')}${rest}`;
}

/** Characters per write. */
const batchLength = 65_536;

/** A CSV file of the rows that an import rejects: line, problem, and the original cells. */
export interface RejectedFile {
  readonly header: (names: readonly string[]) => void;
  readonly add: (row: RejectedRow) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const noRejectedFile: RejectedFile = {
  header: () => undefined,
  add: async () => undefined,
  close: async () => undefined,
};

/** Creates or overwrites the file. @throws CommandFailure when it cannot be written. */
export async function openRejectedFile(file: string): Promise<RejectedFile> {
  const fail = (problem: NodeJS.ErrnoException): never => {
    throw new CommandFailure(`Cannot write ${file}: ${problem.code ?? problem.message}.`, { cause: problem });
  };
  const handle: FileHandle = await open(file, 'w').catch(fail);
  let text = '';
  const flush = async (): Promise<void> => {
    const batch = text;
    text = '';
    if (batch !== '') await handle.appendFile(batch).catch(fail);
  };
  return {
    header: (names) => {
      text += rejectedHeader(names);
    },
    add: async (row) => {
      text += rejectedLine(row);
      if (text.length >= batchLength) await flush();
    },
    close: async () => {
      await flush().finally(() => handle.close());
    },
  };
}
