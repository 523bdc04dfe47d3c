import { expect, it } from 'vitest';
import { readBlock } from '../paste/block.ts';
import { choiceRows, choicesOf, withNewRow, withPasted } from './choice-rows.ts';

const rows = choiceRows([
  { value: 'B', label: 'Bachelor', retired: false, replacedBy: null },
  { value: 'D', label: 'Diploma', retired: true, replacedBy: 'B' },
]);
const texts = (some: typeof rows) => some.map(({ value, label }) => `${value} ${label}`);

it.each([
  { text: 'M\tMaster\nP\tDoctorate', at: 1, becomes: ['B Bachelor', 'D Diploma', 'M Master', 'P Doctorate'] },
  { text: 'M\tMaster\n', at: 0, becomes: ['B Bachelor', 'M Master', 'D Diploma'] },
  { text: 'B\tBachelor’s\nM\tMaster', at: 1, becomes: ['B Bachelor’s', 'D Diploma', 'M Master'] },
  { text: 'Day\nEvening\n\n Day ', at: 1, becomes: ['B Bachelor', 'D Diploma', 'Day Day', 'Evening Evening'] },
  { text: 'M\t"Master, two\tyears"', at: 1, becomes: ['B Bachelor', 'D Diploma', 'M Master, two\tyears'] },
])('pasted columns $text become choices', ({ text, at, becomes }) => {
  expect(texts(withPasted(rows, readBlock(text), at))).toEqual(becomes);
});

it('a paste into the empty row of a new definition replaces it, and each row has an id of its own', () => {
  const pasted = withPasted(withNewRow([]), readBlock('B\tBachelor\nM\tMaster'), 0);
  expect(texts(pasted)).toEqual(['B Bachelor', 'M Master']);
  expect(new Set(withNewRow(pasted).map(({ id }) => id)).size).toBe(3);
});

it('what is saved has no empty rows, a label each, and a successor of retired choices alone', () => {
  const [first, second] = rows;
  const edited = [{ ...first, label: ' ', replacedBy: 'D' }, second, { ...withNewRow(rows)[2] }] as typeof rows;
  expect(choicesOf(edited)).toEqual([
    { value: 'B', label: 'B', retired: false, replacedBy: null },
    { value: 'D', label: 'Diploma', retired: true, replacedBy: 'B' },
  ]);
});
