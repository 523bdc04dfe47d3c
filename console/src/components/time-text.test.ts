import { describe, expect, it } from 'vitest';
import { formatCount } from './counted.ts';
import { formatDay, formatTime } from './time-text.ts';

const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 3, month, 5 * month).toISOString());

describe('the texts of times and numbers', () => {
  it('writes a time as Intl does', () => {
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
    expect(months.map(formatTime)).toEqual(months.map((at) => format.format(new Date(at))));
  });

  it('writes a day as Intl does', () => {
    const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    expect(months.map(formatDay)).toEqual(months.map((at) => format.format(new Date(at))));
  });

  it('writes a number as Intl does', () => {
    const numbers = [0, 7, 999, 1_000, 25_000, 189_234, 1_000_000];
    expect(numbers.map(formatCount)).toEqual(numbers.map((count) => count.toLocaleString('en')));
  });
});
