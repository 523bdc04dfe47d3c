import * as z from 'zod/mini';
import { fetchOwn } from '../api/fetch-own.ts';
import { sendWithProgress } from '../api/send-with-progress.ts';
import { type ColumnChoice, mappingOf } from './columns.ts';

const count = z.int();
const counts = z.object({ created: count, changed: count, unchanged: count });
const row = z.object({
  line: count,
  column: z.nullable(z.string()),
  message: z.string(),
  value: z.nullable(z.string()),
});

const reportSchema = z.object({
  outcome: z.enum(['imported', 'checked', 'rejected']),
  rows: count,
  skipped: count,
  repeated: count,
  programs: counts,
  branches: counts,
  years: z.object({ created: count, changed: count, removed: count }),
  problems: z.array(row),
  problemCount: count,
  rejectedCsv: z.nullable(z.string()),
  conflicts: z.array(row),
  conflictCount: count,
  changes: z.array(z.object({ line: count, column: z.string(), from: z.string(), to: z.string() })),
  changeCount: count,
  ambiguousCodes: z.array(row),
  ambiguousCodeCount: count,
  ignoredColumns: z.array(z.string()),
});

/** The report of an import. */
export type Report = z.infer<typeof reportSchema>;

const rejectionSchema = z.object({
  message: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
});

interface ImportRequest {
  readonly file: File;
  readonly columns: ColumnChoice;
  readonly dryRun: boolean;
  readonly updates: boolean;
  readonly skips: boolean;
}

function addressOf({ file, columns, dryRun, updates, skips }: ImportRequest): string {
  const parameters = new URLSearchParams({
    fileName: file.name.slice(0, 255),
    dryRun: String(dryRun),
    update: String(updates),
    skipInvalid: String(skips),
  });
  for (const { column, name } of mappingOf(columns)) parameters.set(`map.${column}`, name);
  return `/import/catalog?${parameters}`;
}

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The media type of a file by its name. */
export function typeOf(name: string): string {
  if (/\.json$/i.test(name)) return 'application/json';
  return /\.xlsx$/i.test(name) ? xlsxType : 'text/csv';
}

/** Sends a file; `onProgress` gets the part that is sent, from 0 to 1. Returns the report, or the error for the user. */
export async function importFile(request: ImportRequest, onProgress: (sent: number) => void): Promise<Report | string> {
  const send = fetchOwn(sendWithProgress(onProgress));
  const type = typeOf(request.file.name);
  try {
    const headers = { 'Content-Type': type };
    const response = await send(addressOf(request), { method: 'POST', headers, body: request.file });
    const body: unknown = await response.json();
    return response.ok ? reportSchema.parse(body) : problemIn(response.status, body);
  } catch {
    return 'The service cannot be reached. Check the connection, then try again.';
  }
}

/** The error for the user: what failed, and what to do next. */
function problemIn(status: number, body: unknown): string {
  const { success, data } = rejectionSchema.safeParse(body);
  if (!success) return `The import failed (${status}). Try again.`;
  const problems = Object.values(data.errors ?? {}).flat();
  if (problems.length > 0) return problems.join(' ');
  return status === 403 ? `${data.message} Ask an administrator for a key with that right.` : data.message;
}
