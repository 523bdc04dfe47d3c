import type { Client } from 'urql';
import * as z from 'zod/mini';
import { type Report, reportSchema, sendFile } from '../api/import-report.ts';
import { FirstEntryDocument } from '../bulk/documents.generated.ts';
import { LastChangesDocument } from '../history/documents.generated.ts';
import { type ColumnChoice, mappingOf } from '../import-report/columns.ts';
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

export interface ImportRequest {
  readonly file: ChosenFile;
  readonly reading: Reading;
  readonly head: FileHead;
  readonly columns: ColumnChoice;
  readonly dryRun: boolean;
  readonly updates: boolean;
  readonly skips: boolean;
  /** Whether empty cells of a program are as in the row above. */
  readonly fillsDown: boolean;
  /** Whether hidden rows and columns are left out. */
  readonly skipsHidden: boolean;
  /** Whether new records are taken for those of the catalog in whose place they stand. */
  readonly renames: boolean;
  /** Whether programs that the file does not have are missing. */
  readonly isWhole: boolean;
  /** Of the report that the user has seen: nothing else is imported. */
  readonly fingerprint: string | null;
  /** Columns of which existing records keep their values. */
  readonly keep: readonly string[];
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
  const {
    file: { source, content },
    reading,
    head,
    columns,
    dryRun,
    updates,
    skips,
    fillsDown,
    skipsHidden,
    renames,
    isWhole,
    keep,
    fingerprint,
    requestId,
  } = request;
  const parameters = new URLSearchParams({
    ...reading,
    // As the columns were read.
    ...(head.headerRow !== null && { headerRow: String(head.headerRow) }),
    fileName: nameOf(source),
    dryRun: String(dryRun),
    update: String(updates),
    skipInvalid: String(skips),
    fillDown: String(fillsDown),
    skipHidden: String(skipsHidden),
    renamed: String(renames),
    wholeCatalog: String(isWhole),
    ...(fingerprint !== null && { fingerprint }),
  });
  const kept = keep.filter((column) => Object.values(columns).includes(column));
  if (kept.length > 0) parameters.set('keep', kept.join());
  for (const { column, name } of mappingOf(head.columns, columns)) parameters.set(`map.${column}`, name);
  const unreachable = dryRun ? undefined : t('api.uncertain', { where: 'imports' });
  return sendFile(`/import/catalog?${parameters}`, typeOf(source.name), content, reportSchema, unreachable, requestId);
}

const nameOf = ({ name }: File): string => name.slice(0, 255);

/** The import of a file that a request has made; `null` if it has made none, `undefined` if that cannot be read. */
export async function importMadeBy(
  client: Client,
  { source }: ChosenFile,
  requestId: string,
): Promise<string | null | undefined> {
  const fresh = { requestPolicy: 'network-only' } as const;
  const { data } = await client.query(LastChangesDocument, { first: 50, imports: true }, fresh);
  if (data === undefined) return undefined;
  for (const { changeId } of data.lastChanges.filter(({ file }) => file === nameOf(source))) {
    const first = await client.query(FirstEntryDocument, { changeId }, fresh);
    if (first.data === undefined) return undefined;
    if (first.data.changeEntries.nodes.some((entry) => entry.requestId === requestId)) return changeId;
  }
  return null;
}
