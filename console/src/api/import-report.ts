import * as z from 'zod/mini';
import { t } from '../language/language.ts';
import { fetchOwn } from './fetch-own.ts';
import { describeRejection, problemSchema, rejectionIn } from './problems.ts';

const count = z.int();
const counts = z.object({ created: count, changed: count, unchanged: count });
const row = z.extend(problemSchema, {
  line: count,
  column: z.nullable(z.string()),
  value: z.nullable(z.string()),
});
const kind = z.enum(['program', 'branch']);
const programName = z.nullable(z.string());

export const reportSchema = z.object({
  outcome: z.enum(['imported', 'checked', 'rejected']),
  changeId: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  rows: count,
  skipped: count,
  programs: counts,
  branches: counts,
  years: z.object({ created: count, changed: count, removed: count }),
  problems: z.array(row),
  problemCount: count,
  rejectedCsv: z.nullable(z.string()),
  conflicts: z.array(
    z.extend(row, {
      kept: z.nullable(z.string()),
      keptLine: z.nullable(count),
      name: z.optional(z.string()),
      programName: z.optional(programName),
    }),
  ),
  conflictCount: count,
  changes: z.array(
    z.object({
      line: count,
      column: z.string(),
      name: z.string(),
      programName,
      from: z.nullable(z.string()),
      to: z.nullable(z.string()),
    }),
  ),
  changeCount: count,
  ambiguousCodes: z.array(row),
  ambiguousCodeCount: count,
  created: z.array(z.object({ line: count, kind, code: z.nullable(z.string()), name: z.string(), programName })),
  createdCount: count,
  missing: z.array(z.object({ kind, recordId: count, code: z.nullable(z.string()), name: z.string(), programName })),
  missingCount: count,
  perhapsRenamed: z.array(
    z.object({
      line: count,
      kind,
      name: z.string(),
      code: z.nullable(z.string()),
      oldName: z.string(),
      oldCode: z.nullable(z.string()),
      programName,
    }),
  ),
  perhapsRenamedCount: count,
  ids: z.nullable(z.enum(['matched', 'ofAnotherCatalog'])),
  sample: z.array(
    z.object({ line: count, cells: z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()]))) }),
  ),
  ignoredColumns: z.array(z.string()),
  encoding: z.nullable(z.string()),
  encodingSample: z.array(z.object({ line: count, text: z.string() })),
});

export type Report = z.infer<typeof reportSchema>;

export const changesCatalog = ({ programs, branches, years }: Report): boolean =>
  [programs, branches, years].some(({ created, changed }) => created + changed > 0) || years.removed > 0;

/** Sends a file to an endpoint of the import. Returns what it says, or the error for the user. */
export async function sendFile<Schema extends z.ZodMiniType>(
  address: string,
  type: string,
  body: BodyInit,
  schema: Schema,
): Promise<z.infer<Schema> | string> {
  try {
    const response = await fetchOwn(address, { method: 'POST', headers: { 'Content-Type': type }, body });
    const said: unknown = await response.json();
    if (response.ok) return schema.parse(said);
    const rejection = rejectionIn(response, said);
    return rejection === undefined
      ? t('transfer.importFailed', { status: String(response.status) })
      : describeRejection(rejection);
  } catch {
    return t(address.includes('dryRun=false') ? 'api.uncertain' : 'api.unreachable');
  }
}
