import * as z from 'zod/mini';
import { t } from '../language/language.ts';
import { fetchInSession } from '../session/session.ts';
import { describeRejection, problemSchema, rejectionIn } from './problems.ts';

const count = z.int();
const counts = z.object({ created: count, changed: count, unchanged: count });
const text = z.nullable(z.string());
const row = z.extend(problemSchema, { line: count, column: text, value: text });
const named = z.object({ name: z.string(), programName: text });
const kindWord = z.enum(['program', 'branch']);
const record = z.extend(named, { kind: kindWord, code: text });
const recordKind = z.pipe(
  kindWord,
  z.transform((kind) => (kind === 'program' ? 'PROGRAM' : 'BRANCH')),
);

export const reportSchema = z.object({
  outcome: z.enum(['imported', 'checked', 'rejected']),
  changeId: text,
  fingerprint: text,
  rows: count,
  skipped: count,
  repeated: count,
  programs: counts,
  branches: counts,
  years: z.object({ created: count, changed: count, removed: count }),
  problems: z.array(row),
  problemCount: count,
  rejectedCsv: text,
  conflicts: z.array(
    z.extend(row, {
      kept: text,
      keptLine: z.nullable(count),
      name: z.optional(z.string()),
      programName: z.optional(text),
    }),
  ),
  conflictCount: count,
  changes: z.array(
    z.extend(named, { kind: recordKind, recordId: count, line: count, column: z.string(), from: text, to: text }),
  ),
  changeCount: count,
  records: z.array(
    z.extend(named, {
      kind: recordKind,
      recordId: count,
      action: z.enum(['CREATE', 'UPDATE', 'DELETE', 'RESTORE']),
      programId: z.nullable(count),
      fields: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
    }),
  ),
  recordCount: count,
  ambiguousCodes: z.array(row),
  ambiguousCodeCount: count,
  nearlyEqual: z.array(row),
  nearlyEqualCount: count,
  created: z.array(z.extend(record, { line: count })),
  createdCount: count,
  missing: z.array(z.extend(record, { recordId: count })),
  missingCount: count,
  perhapsRenamed: z.array(z.extend(record, { line: count, oldName: z.string(), oldCode: text })),
  perhapsRenamedCount: count,
  ids: z.nullable(z.enum(['matched', 'ofAnotherCatalog'])),
  sample: z.array(
    z.object({ line: count, cells: z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()]))) }),
  ),
  ignoredColumns: z.array(z.string()),
  repeatedHeaders: count,
  hiddenRows: count,
  hiddenColumns: count,
  encoding: text,
  encodingSample: z.array(z.object({ line: count, text: z.string() })),
});

export type Report = z.infer<typeof reportSchema>;

/** Whether a file was imported; `undefined` if nobody knows, as there is no report. */
export const wasImported = (said: Report | string): boolean | undefined =>
  typeof said === 'string' ? undefined : said.outcome === 'imported';

export const changesCatalog = ({ programs, branches, years }: Report): boolean =>
  [programs, branches, years].some(({ created, changed }) => created + changed > 0) || years.removed > 0;

/** The last file of this page: a check, which the next file ends, or an import, which it waits for. */
let last: { readonly check: AbortController | null; readonly ended: Promise<unknown> } | undefined;

/** Ends the check whose result nobody waits for: the next file would wait for it. */
export const abandonCheck = (): void => last?.check?.abort();

/**
 * Sends a file to an endpoint of the import. Returns what it says, or the error for the user: `unreachable` without a
 * response. The audit log has the `requestId`.
 */
export function sendFile<Schema extends z.ZodMiniType>(
  address: string,
  type: string,
  body: BodyInit,
  schema: Schema,
  unreachable = t('api.unreachable'),
  requestId?: string,
): Promise<z.infer<Schema> | string> {
  abandonCheck();
  const check = address.includes('dryRun=false') ? null : new AbortController();
  const headers = { 'Content-Type': type, ...(requestId !== undefined && { 'X-Request-Id': requestId }) };
  const init = { method: 'POST', headers, body, signal: check?.signal ?? null };
  const before = last?.ended;
  const sending = Promise.resolve(before).then(() => send(address, init, schema, unreachable));
  last = { check, ended: sending };
  return sending;
}

async function send<Schema extends z.ZodMiniType>(
  address: string,
  init: RequestInit,
  schema: Schema,
  unreachable: string,
): Promise<z.infer<Schema> | string> {
  try {
    const response = await fetchInSession(address, init);
    const said: unknown = await response.json();
    if (response.ok) return schema.parse(said);
    const rejection = rejectionIn(response, said);
    return rejection === undefined
      ? t('transfer.importFailed', { status: String(response.status) })
      : describeRejection(rejection);
  } catch {
    return unreachable;
  }
}
