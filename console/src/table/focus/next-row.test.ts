import { describe, expect, it } from 'vitest';
import { nextRow } from './next-row.ts';

const rows = (letters: string) => Array.from(letters, (letter) => ({ id: letter.charCodeAt(0), name: letter }));

describe('the focus of a row that others have taken out of the list', () => {
  it.each<[string, before: string, focused: string, now: string, next: string]>([
    ['stays at a row that is still there', 'abc', 'b', 'xaybc', 'b'],
    ['goes to the next row', 'abc', 'b', 'ac', 'c'],
    ['goes to the next row, past those that came meanwhile', 'abc', 'b', 'xyzac', 'c'],
    ['goes past rows that have left as well', 'abcde', 'b', 'ae', 'e'],
    ['goes to the row before when none is left after it', 'abc', 'c', 'abxyz', 'b'],
    ['goes to the nearest before it', 'abcd', 'd', 'xab', 'b'],
    ['stays at its place among rows that are all new', 'abc', 'b', 'xyz', 'y'],
    ['goes to the last of rows that are all new', 'abc', 'c', 'x', 'x'],
  ])('%s', (_, before, focused, now, next) => {
    expect(now[nextRow(rows(before), before.indexOf(focused), rows(now))]).toBe(next);
  });
});
