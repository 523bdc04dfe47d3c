import { expect, it } from 'vitest';
import { linesOf, tableText } from '../../src/cli/output.ts';

const createdAt = new Date('2026-11-22T09:30:00.123Z');

it('a table has a header, columns of one width, and numbers to the right', () => {
  const records = [
    { id: 9, name: 'Zoë', readOnly: true, createdAt, lastUsedAt: null },
    { id: 10, name: 'a "b"\nc', readOnly: false, createdAt, lastUsedAt: createdAt },
  ];
  expect(tableText(records).split('\n')).toEqual([
    'ID  NAME      READ ONLY  CREATED AT            LAST USED AT',
    ' 9  Zoë       yes        2026-11-22 09:30:00Z  -',
    '10  a "b"\\nc  no         2026-11-22 09:30:00Z  2026-11-22 09:30:00Z',
    '',
  ]);
});

it('a table of nothing says so', () => {
  expect(tableText([])).toBe('None.\n');
});

it('a record has a line per field', () => {
  expect(linesOf({ id: 1, lastUsedAt: null })).toBe('id            1\nlast used at  -\n');
});

it('a list of texts is shown as these, one of records as their number', () => {
  const choices = [
    { value: 'B', label: 'Bachelor' },
    { value: 'M', label: 'Master' },
  ];
  expect(linesOf({ choices, retired: ['D', 'E'], removed: [] })).toBe('choices  2\nretired  D, E\nremoved  -\n');
});
