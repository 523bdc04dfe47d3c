import { adminKey, type TestServer } from './server.ts';

/** The columns of the import format. */
export const header =
  'program_code,program_name,program_duration,branch_name,branch_description,branch_years,branch_code_prefix,branch_code_is_numeric';

/** A file of the import format. */
export const csv = (...lines: string[]): string => `${[header, ...lines].join('\n')}\n`;

/** A mutation that selects the whole report. */
export const importDocument = `mutation (
  $file: Upload!, $format: ImportFormat, $mode: ImportMode, $dryRun: Boolean, $skipInvalid: Boolean,
  $delimiter: ImportDelimiter, $mapping: [ColumnMapping!]
) {
  importCatalog(
    file: $file, format: $format, mode: $mode, dryRun: $dryRun, skipInvalid: $skipInvalid,
    delimiter: $delimiter, mapping: $mapping
  ) {
    outcome rows skipped repeated
    programs { created changed unchanged } branches { created changed unchanged } years { created changed removed }
    problems { line column message value } problemCount
    conflicts { line column message } conflictCount
    changes { line column kind recordId from to } changeCount
    rejectedCsv ignoredColumns
  }
}`;

interface ImportRequest {
  readonly name?: string;
  readonly variables?: object;
  readonly query?: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Imports a file by a multipart request, and parses the response. */
export async function importFile(
  server: Pick<TestServer, 'url'>,
  content: string | Uint8Array<ArrayBuffer>,
  { name = 'catalog.csv', variables = {}, query = importDocument, key = adminKey, headers = {} }: ImportRequest = {},
) {
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables: { ...variables, file: null } }));
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', new Blob([content]), name);
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { ...(key !== null && { 'x-api-key': key }), ...headers },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
