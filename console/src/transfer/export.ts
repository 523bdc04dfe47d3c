import type { Definition } from '../fields/definitions.ts';
import { orderOf } from '../lists/search.ts';
import { describeBranchIds, describeFilter } from '../programs/filters.ts';
import { filterOf, type ProgramsSearch } from '../programs/search.ts';
import { dayOf } from '../search-parameters.ts';

/** What is exported: `spreadsheet` is CSV that spreadsheets show as it is. */
export type ExportKind = 'csv' | 'spreadsheet' | 'json' | 'xlsx';

const extensionOf = (kind: ExportKind): string => (kind === 'spreadsheet' ? 'csv' : kind);

export function exportAddress(kind: ExportKind, search: ProgramsSearch): string {
  const { ids, ...filter } = filterOf(search);
  const { orderBy, orderAttribute } = orderOf(search);
  const given = { ...filter, ids: ids?.join(), ...(search.sort !== undefined && { orderBy, orderAttribute }) };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value != null) parameters.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  if (search.branchIds !== undefined) parameters.set('branchIds', search.branchIds);
  if (kind === 'spreadsheet') parameters.set('escapeFormulas', 'true');
  const query = parameters.toString();
  return `/export/catalog.${extensionOf(kind)}${query === '' ? '' : `?${query}`}`;
}

const filterMax = 60;

/** A name with the day and the filter: `catalog-2026-11-25-physics-duration-3-years.xlsx`. */
export function exportName(kind: ExportKind, search: ProgramsSearch, definitions?: readonly Definition[]): string {
  const filtered =
    search.branchIds === undefined ? describeFilter(search, definitions) : describeBranchIds(search.branchIds);
  const words = filtered.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const filter = words.join('-').slice(0, filterMax);
  return `${['catalog', dayOf(new Date()), filter].filter((part) => part !== '').join('-')}.${extensionOf(kind)}`;
}
