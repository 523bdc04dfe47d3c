import { expect, it } from 'vitest';
import { exportAddress } from './download.ts';
import { typeOf } from './import-file.ts';

it('sends a file as what its name says, in any letter case', () => {
  expect(['a.xlsx', 'A.XLSX', 'a.json', 'a.csv', 'a.xlsx.txt'].map(typeOf)).toEqual([
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/json',
    'text/csv',
    'text/csv',
  ]);
});

it('exports for Excel what the filter shows', () => {
  expect(exportAddress('xlsx', { q: 'arts' }, false)).toBe('/export/catalog.xlsx?search=arts');
});
