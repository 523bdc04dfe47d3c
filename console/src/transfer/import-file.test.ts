import { expect, it } from 'vitest';
import { exportAddress, exportName } from './export.ts';
import { typeOf } from './import-file.ts';

it('sends a file as what its name says, in any letter case', () => {
  expect(['a.xlsx', 'A.XLSM', 'a.json', 'a.csv', 'a.xlsx.txt'].map(typeOf)).toEqual([
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/json',
    'text/csv',
    'text/csv',
  ]);
});

it('exports what the filter shows', () => {
  expect(exportAddress('xlsx', { q: 'arts' })).toBe('/export/catalog.xlsx?search=arts');
  expect(exportAddress('csv', { branchIds: '4,8' })).toBe('/export/catalog.csv?branchIds=4%2C8');
  expect(exportAddress('spreadsheet', {})).toBe('/export/catalog.csv?escapeFormulas=true');
});

it('names an export with the day and the filter', () => {
  expect(exportName('csv', { branchIds: '4,8' })).toMatch(/^catalog-[\d-]{10}-2-selected-branches\.csv$/);
  expect(exportName('json', {})).toMatch(/^catalog-\d{4}-\d\d-\d\d\.json$/);
  expect(exportName('spreadsheet', { q: 'Économie / droit', duration: '3 Years' })).toMatch(
    /^catalog-[\d-]{10}-économie-droit-duration-is-3-years\.csv$/,
  );
});
