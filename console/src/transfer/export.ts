import type { Definition } from '../fields/definitions.ts';
import { t } from '../language/language.ts';
import { orderOf } from '../lists/search.ts';
import { describeBranchIds, describeFilter } from '../programs/filters.ts';
import { filterOf, type ProgramsSearch } from '../programs/search.ts';
import { dayOf } from '../search-parameters.ts';

const format = <Value extends string>(value: Value, name: string, text = name) => ({ value, name, text });

/** The formats of files, with what is said of them where one chooses. */
export const formats = [
  format('xlsx', 'Excel'),
  format('csv', 'CSV', t('transfer.csv')),
  format('json', 'JSON', t('transfer.json')),
] as const;

/** CSV that spreadsheets show as it is. */
const spreadsheet = { value: 'spreadsheet', text: t('transfer.spreadsheet') } as const;

const [first, ...others] = formats;
export const exportKinds = [first, spreadsheet, ...others] as const;
export type ExportKind = (typeof exportKinds)[number]['value'];

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
