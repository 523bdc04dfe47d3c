import { expect } from 'vitest';
import { DefinedAttributes } from '../../../src/academics/definitions/defined-attributes.ts';
import { actor } from '../../accounts/administration.ts';
import { adminKey, type TestServer } from '../../support/server.ts';

/** Columns of the import format, without codes of branches. */
export const header =
  'program_code,program_name,program_duration,branch_name,branch_description,branch_years,branch_code_prefix,branch_code_is_numeric';

/** The columns of an export. */
export const exportHeader = `program_id,${header.replace('branch_name', 'branch_id,branch_code,branch_name')}`;

/** An export in CSV without its ids, which are numbers alone: those of another database are others. */
export const withoutIds = (text: string): string =>
  text
    .replace(/^(?:program_id|\d+),/gm, '')
    .replace('branch_id,', '')
    .replace(/^((?:[^,\n]*,){3})\d*,/gm, '$1');

/** A file of the import format. */
export const csv = (...lines: string[]): string => `${[header, ...lines].join('\n')}\n`;

/** What an importer gets for a CSV file that arrives as one part, when nothing is chosen. */
export function givenFile(content: string | Buffer, signal = new AbortController().signal) {
  async function* part(): AsyncGenerator<Buffer> {
    yield Buffer.from(content);
  }
  return {
    actor,
    defined: new DefinedAttributes([]),
    user: 'ada',
    fileName: 'catalog.csv',
    bytes: part(),
    format: 'csv' as const,
    delimiter: undefined,
    encoding: undefined,
    sheet: undefined,
    headerRow: undefined,
    mapping: new Map(),
    dryRun: false,
    skipInvalid: false,
    update: false,
    renamed: false,
    ownIds: false,
    keep: [],
    wholeCatalog: false,
    signal,
  };
}

interface ImportRequest {
  readonly type?: string | null;
  readonly query?: Readonly<Record<string, string>>;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Imports a file, and parses the response. */
export async function importFile(
  server: Pick<TestServer, 'url'>,
  content: string | Uint8Array<ArrayBuffer>,
  { type = 'text/csv', query = {}, key = adminKey, headers = {} }: ImportRequest = {},
) {
  const response = await fetch(`${server.url}/import/catalog?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: { ...(type !== null && { 'content-type': type }), ...(key !== null && { 'x-api-key': key }), ...headers },
    body: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Imports a file that can be read. @returns the report. */
export async function reportOf(...request: Parameters<typeof importFile>) {
  const { status, body } = await importFile(...request);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** The lists of a report that has nothing to say, with their totals, and of the file. */
export const nothingFound = {
  ...{ skipped: 0, repeated: 0, problems: [], problemCount: 0, conflicts: [], conflictCount: 0 },
  ...{ changes: [], changeCount: 0, records: [], recordCount: 0, retired: [], retiredCount: 0 },
  ...{ ambiguousCodes: [], ambiguousCodeCount: 0, nearlyEqual: [], nearlyEqualCount: 0, created: [], createdCount: 0 },
  ...{ missing: [], missingCount: 0, perhapsRenamed: [], perhapsRenamedCount: 0, ids: null },
  ...{ encoding: 'UTF-8', encodingGuessed: false, repeatedHeaders: 0, hiddenRows: 0, hiddenColumns: 0 },
};
