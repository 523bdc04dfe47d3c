import * as z from 'zod/mini';
import { type Report, reportSchema, sendFile } from '../api/import-report.ts';
import type { ColumnChoice } from '../fields/file-columns.ts';
import { mappingOf } from '../import-report/columns.ts';
import { t } from '../language/language.ts';

const headSchema = z.object({
  columns: z.array(z.object({ name: z.string(), column: z.nullable(z.string()), values: z.array(z.string()) })),
  headerRow: z.nullable(z.int()),
  firstRows: z.array(z.object({ line: z.int(), text: z.string() })),
  encoding: z.nullable(z.string()),
  encodingSample: z.array(z.object({ line: z.int(), text: z.string() })),
  sheet: z.nullable(z.string()),
  sheets: z.array(z.string()),
});

/** What the beginning of a file says. */
export type FileHead = z.infer<typeof headSchema>;

/** How a file is read, where the user has said it. */
export interface Reading {
  readonly encoding?: string;
  readonly sheet?: string;
  /** The line with the names of the columns. */
  readonly headerRow?: string;
}

/** A file with what it had when it was read: browsers read nothing of one that was saved again since. */
interface ChosenFile {
  readonly source: File;
  readonly content: Blob;
}

/** A larger file is not kept in memory: the service takes none. */
const readMax = 2 ** 28;

/** Reads a file; `null` if it cannot be read, as it was moved, or saved again since it was chosen. */
export async function readFile(source: File): Promise<ChosenFile | null> {
  try {
    return { source, content: source.size > readMax ? source : new Blob([await source.arrayBuffer()]) };
  } catch {
    return null;
  }
}

/** Whether a file was saved again, moved or deleted since it was chosen. */
export const isChanged = ({ source }: ChosenFile): Promise<boolean> =>
  source
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      () => true,
    );

/** The parameters of what the user may choose. */
const parameterOf = {
  updates: 'update',
  skips: 'skipInvalid',
  /** Whether empty cells of a program are as in the row above. */
  fillsDown: 'fillDown',
  /** Whether hidden rows and columns are left out. */
  skipsHidden: 'skipHidden',
  /** Whether new records are taken for those of the catalog in whose place they stand. */
  renames: 'renamed',
  /** Whether programs that the file does not have are missing. */
  isWhole: 'wholeCatalog',
} as const;
type Choice = keyof typeof parameterOf;
const choices = Object.keys(parameterOf) as Choice[];

export interface ImportOptions extends Readonly<Record<Choice, boolean>> {
  /** Columns of which existing records keep their values. */
  readonly keep: readonly string[];
}

export interface ImportRequest {
  readonly file: ChosenFile;
  readonly reading: Reading;
  readonly head: FileHead;
  readonly columns: ColumnChoice;
  readonly options: ImportOptions;
  readonly dryRun: boolean;
  /** Of the report that the user has seen: nothing else is imported. */
  readonly fingerprint: string | null;
  /** Identifies it in the audit log. */
  readonly requestId: string;
}

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function typeOf(name: string): string {
  if (/\.(?:json|jsonl|ndjson)$/i.test(name)) return 'application/json';
  return /\.xls[xm]$/i.test(name) ? xlsxType : 'text/csv';
}

/** Reads the columns of a file. Returns the error for the user, too. */
export const readHead = ({ source, content }: ChosenFile, reading: Reading): Promise<FileHead | string> =>
  sendFile(`/import/columns?${new URLSearchParams({ ...reading })}`, typeOf(source.name), content, headSchema);

/** Imports a file, or checks it. Returns the report, or the error for the user. */
export function importFile(request: ImportRequest): Promise<Report | string> {
  const { file, reading, head, columns, options, dryRun, fingerprint, requestId } = request;
  const { source, content } = file;
  const parameters = new URLSearchParams({
    ...reading,
    // As the columns were read.
    ...(head.headerRow !== null && { headerRow: String(head.headerRow) }),
    fileName: fileNameOf(source),
    dryRun: String(dryRun),
    ...(fingerprint !== null && { fingerprint }),
  });
  for (const choice of choices) parameters.set(parameterOf[choice], String(options[choice]));
  const kept = options.keep.filter((column) => Object.values(columns).includes(column));
  if (kept.length > 0) parameters.set('keep', kept.join());
  for (const { column, name } of mappingOf(head.columns, columns)) parameters.set(`map.${column}`, name);
  const unreachable = dryRun ? undefined : t('api.uncertain', { where: 'imports' });
  return sendFile(`/import/catalog?${parameters}`, typeOf(source.name), content, reportSchema, unreachable, requestId);
}

/** The name under which the service notes it. */
export const fileNameOf = ({ name }: File): string => name.slice(0, 255);
