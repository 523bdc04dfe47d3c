import type { Problem } from '@service/errors/problems';
import { fileProblem } from './problems.ts';
import type { Encoding } from './text.ts';

/** The columns of a file are data: the reader does not know their meaning. */
export interface Columns<Column extends string> {
  /** Known columns, in the order in which a JSON row is shown. */
  readonly known: readonly Column[];
  /** Columns that the header of a CSV file or a sheet must have. */
  readonly required: readonly Column[];
  /** Further ones that it must have beside those that it has. */
  readonly requiredWith?: (found: readonly Column[]) => readonly Column[];
  /** The column of a name that is not known, given as it is in the file; `undefined` for one that is ignored. */
  readonly further?: (name: string) => Column | undefined;
  /** Columns of numbers: a cell of a sheet is its number, not how it is shown. */
  readonly numeric?: readonly Column[];
  /** Columns whose empty cells `fillDown` takes from above, in rows that have none of the keys. */
  readonly filled?: { readonly keys: readonly Column[]; readonly has: (column: Column) => boolean };
  /** Columns of codes and names: a cell that shows another text than is read is a problem of its row. */
  readonly exact?: readonly Column[];
}

/**
 * Known columns by their names in the file, where these differ. `null` for a column that is not read. The column of the
 * file that has the very name of a mapped one is not read either.
 */
export type ColumnMapping<Column extends string> = ReadonlyMap<string, Column | null>;

/** Finds the column that a name of a file stands for; asked for with each key of a JSON row. */
export type ColumnOf<Column extends string> = (name: string) => Column | undefined;

export function createColumnOf<Column extends string>({
  columns,
  mapping,
}: Pick<ReadingOptions<Column>, 'columns' | 'mapping'>): ColumnOf<Column> {
  const mapped = new Map(Array.from(mapping, ([name, column]) => [normalizedName(name), column]));
  const known = new Map(columns.known.map((column) => [normalizedName(column), column]));
  const taken = new Set(mapping.values());
  return (name) => {
    const normalized = normalizedName(name);
    const own = mapped.get(normalized);
    if (own !== undefined) return own ?? undefined;
    const column = known.get(normalized) ?? columns.further?.(name.trim());
    return column === undefined || taken.has(column) ? undefined : column;
  };
}

export interface ReadingOptions<Column extends string> {
  readonly columns: Columns<Column>;
  readonly mapping: ColumnMapping<Column>;
  /** The line of the header of a table, where it is not to be found; `undefined` otherwise. */
  readonly headerRow?: number | undefined;
  /** Whether a header counts that does not have all required columns. */
  readonly mayLackColumns?: boolean;
  /** Gets the names of the columns, each once; of a table also the line of the header and the rows above it. */
  readonly onHeader: (names: readonly string[], line: number | null, above: readonly TextRow[]) => void;
  /** Gets the names of unknown columns, if there are some. */
  readonly onIgnored: (names: readonly string[]) => void;
  /** Gets how the text is encoded: UTF-8 is corrected to Windows-1252 as soon as a character shows it. */
  readonly onEncoding: (encoding: Encoding) => void;
  /** Gets the name of the sheet of a workbook that is read, and of all that could be. */
  readonly onSheet: (name: string, names: readonly string[]) => void;
  /** Gets what is beside the rows of a table, or hidden among them, each time. */
  readonly onFinding?: (finding: Finding) => void;
  /** Whether empty cells are as in the row above, in the columns that say so. */
  readonly fillDown?: boolean | undefined;
  /** Whether hidden rows and columns of a sheet are left out. */
  readonly skipHidden?: boolean | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal;
}

/** A row that has the names of the columns again, which is left out; a hidden row, or column with a name, of a sheet. */
export type Finding = 'repeatedHeaders' | 'hiddenRows' | 'hiddenColumns';

export type FindingCounts = Readonly<Record<Finding, number>>;

/** Counts findings: `count` is the callback of a reader. */
export function createFindings(): { readonly counts: FindingCounts; readonly count: (finding: Finding) => void } {
  const counts = { repeatedHeaders: 0, hiddenRows: 0, hiddenColumns: 0 };
  const count = (finding: Finding): void => {
    counts[finding] += 1;
  };
  return { counts, count };
}

/** The cells of a row as they are in the file. */
export interface TextRow {
  readonly line: number;
  readonly texts: readonly string[];
}

/** A row of a table before a header says what its cells are, as a person sees them. */
export interface TableRow extends TextRow {
  readonly unreadable?: Problem;
  /** Why cells have no value, by the number of their column from 0. */
  readonly faults?: ReadonlyMap<number, Problem>;
  /** The numbers of cells that show them in another way. */
  readonly numbers?: ReadonlyMap<number, string>;
  /** Reasons why cells may differ from the text that a person sees or has typed. */
  readonly doubts?: ReadonlyMap<number, Problem>;
  readonly isHidden?: boolean;
  /** Of its sheet: 1 for each column, numbered from 0, that is hidden. */
  readonly hiddenColumns?: Uint8Array;
}

/** A row with all cells, unknown columns included, in the order of the file. A line of a sheet is its row number. */
export interface SourceRow<Column extends string> extends TextRow {
  readonly cells: Readonly<Partial<Record<Column, unknown>>>;
}

/** A row that is no row of the table; reading goes on after it. */
export interface UnreadableRow {
  readonly line: number;
  readonly unreadable: Problem;
  readonly cells: readonly string[];
}

/** Columns of a file: few enough to handle a row within milliseconds. */
export const columnsMax = 1_000;

/** Characters of a row: few enough to parse and buffer one within milliseconds. */
export const rowLengthMax = 250_000;

export const rowTooLong = (lines = ''): Problem =>
  fileProblem('ROW_TOO_LONG', { max: rowLengthMax.toLocaleString('en-US'), lines });

/** Whether nothing of a row can be seen: a last line of control characters is no row. */
export const isBlank = (texts: readonly string[]): boolean => texts.every((text) => !/[^\s\p{Cc}]/u.test(text));

/** Characters of a name that is compared with others; no column has a longer one. */
const nameLengthMax = 1_000;

/** A name of a column as names are compared: without regard to case, spaces, hyphens and underscores. */
export function normalizedName(name: string): string {
  if (name.length > nameLengthMax) return name;
  const text = name.trim().toLowerCase();
  return text.replace(/[\s_\p{Pd}]/gu, '') || text;
}
