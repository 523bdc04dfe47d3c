import { fetchOwn } from '../api/fetch-own.ts';
import { filterOf, type ProgramsSearch } from '../programs/search.ts';

export type ExportFormat = 'csv' | 'json' | 'xlsx';

export function exportAddress(format: ExportFormat, search: ProgramsSearch, escapeFormulas: boolean): string {
  const filter = { ...filterOf(search), ...(escapeFormulas && { escapeFormulas }) };
  const parameters = new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );
  const query = parameters.toString();
  return `/export/catalog.${format}${query === '' ? '' : `?${query}`}`;
}

export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Downloads, and names what fails, which a link would not. Returns the problem, or `null`. */
export async function download(address: string, name: string): Promise<string | null> {
  try {
    const response = await fetchOwn()(address);
    if (!response.ok) return `The export failed (${response.status}). Try again.`;
    save(await response.blob(), name);
    return null;
  } catch {
    return 'The export broke off: the service cannot be reached. Try again.';
  }
}
