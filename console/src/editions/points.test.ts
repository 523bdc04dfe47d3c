import { afterEach, expect, it, vi } from 'vitest';
import { dayAgo } from '../search-parameters.ts';
import { addressOf, differsBy, isFoundBy, parseComparisonSearch, pointOf, sinceEdition } from './points.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['now', { now: true }, 'now'],
  ['edition:2026/27', { edition: '2026/27' }, 'edition:2026/27'],
  ['edition:now', { edition: 'now' }, 'edition:now'],
  ['edition:../x', { edition: '../x' }, 'edition:../x'],
  ['edition:', { edition: '' }, 'edition:'],
  [dayAgo(0), { now: true }, 'now'],
  ['2026-07-01T12:30:00.000Z', { at: '2026-07-01T12:30:00.000Z' }, '2026-07-01T12:30:00.000Z'],
])('%s is a state of the catalog', (text, point, address) => {
  expect(pointOf(text)).toEqual(point);
  expect(addressOf(point)).toBe(address);
});

it.each(['tomorrow', '', '2026-02-31x'])('%j is none', (text) => expect(pointOf(text)).toBeUndefined());

// Both clocks of Berlin change within these days, and that of Samoa left one out.
it.each([
  ['Europe/Berlin', '2026-03-29', '2026-03-29T21:59:59.999Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-25T22:59:59.999Z'],
  ['America/New_York', '2026-11-01', '2026-11-02T04:59:59.999Z'],
  ['Asia/Kolkata', '2026-07-01', '2026-07-01T18:29:59.999Z'],
  ['UTC', '2026-12-31', '2026-12-31T23:59:59.999Z'],
])('a day in %s ends with its last millisecond: %s', (zone, day, at) => {
  vi.stubEnv('TZ', zone);
  expect(pointOf(day)).toEqual({ at });
});

it('the address of a comparison is parsed, and its edition may be a year', () => {
  expect(parseComparisonSearch({ ...sinceEdition('2026/27'), only: 'moved', q: 7 })).toEqual({
    from: 'edition:2026/27',
    to: 'now',
    only: 'moved',
    q: '7',
  });
  expect(parseComparisonSearch({ from: 2026, only: 'other' })).toMatchObject({ from: '2026', only: undefined });
});

it('a record that is renamed and moved differs in both ways, and one that is new in no other', () => {
  const change = (action: string, ...names: string[]) => ({ action, fields: names.map((field) => ({ field })) });
  const waysOf = (compared: ReturnType<typeof change>) =>
    (['created', 'deleted', 'renamed', 'moved', 'changed'] as const).filter((way) => differsBy(way, compared));
  expect(waysOf(change('UPDATE', 'name', 'programId', 'years'))).toEqual(['renamed', 'moved']);
  expect(waysOf(change('UPDATE', 'years'))).toEqual(['changed']);
  expect(waysOf(change('CREATE', 'name', 'programId'))).toEqual(['created']);
  expect(waysOf(change('DELETE', 'name'))).toEqual(['deleted']);
});

it('a record is found by words of its name and of its program', () => {
  const record = { name: 'Quantum Optics', programName: 'Physics' };
  expect(['optics', 'PHYSICS quantum', '', 'law'].map((words) => isFoundBy(words, record))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
