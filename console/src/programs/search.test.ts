import { describe, expect, it } from 'vitest';
import { type Condition, inAddress, instantsIn } from '../lists/condition.ts';
import { orderTextOf, sortedBy, withAttribute } from '../lists/search.ts';
import { startOfDay } from '../search-parameters.ts';
import { exportAddress } from '../transfer/export.ts';
import { describeFilter } from './filters.ts';
import { filterOf, parseProgramsSearch } from './search.ts';

const day = (text: string, daysLater = 0) => startOfDay(text, { daysLater });

describe('the state of the list in its URL', () => {
  it('keeps what it understands, and drops the rest', () => {
    const search = { q: 'law', sort: 'NAME_DESC', code: { has: true }, created: [], page: 7, duration: '' };

    expect(parseProgramsSearch(search)).toEqual({ q: 'law', sort: 'NAME_DESC', code: { has: true } });
  });

  it('drops a range whose ends are no days or no numbers, which would filter nothing', () => {
    const kept = { changed: { from: '2024-02-29' }, created: { to: 'today' }, branches: { from: '2' } };
    expect(parseProgramsSearch(kept)).toEqual(kept);
    const dropped = {
      changed: { from: '2026-02-31' },
      created: { from: '2026-11-05', to: 'x' },
      branches: { to: 'a' },
    };
    expect(parseProgramsSearch(dropped)).toEqual({});
  });

  it('takes text that looks like a number as text', () => {
    expect(parseProgramsSearch({ q: 2024, duration: 7 })).toEqual({ q: '2024', duration: '7' });
  });

  it('becomes the filter of the service, of which all or any conditions match', () => {
    const search = {
      q: 'optics',
      inBranches: true,
      ids: '4,8',
      duration: { is: ['4 Years', '5 Years'], not: true },
      branches: { from: '2' },
      code: { has: false },
      changed: { from: '2026-11-05', to: '2026-11-07' },
      attributes: { level: 'PG', campus: null, credits: { from: '120' }, mode: { is: ['a', 'b'] } },
    };
    const conditions = [
      { not: { durations: ['4 Years', '5 Years'] } },
      { minBranches: 2 },
      { hasCode: false },
      { updatedSince: day('2026-11-05'), updatedBefore: day('2026-11-07', 1) },
      { attributes: [{ key: 'level', value: 'PG' }] },
      { attributes: [{ key: 'campus', hasValue: false }] },
      { attributes: [{ key: 'credits', from: '120' }] },
      { attributes: [{ key: 'mode', values: ['a', 'b'] }] },
    ];
    const rest = { search: 'optics', searchBranches: true, ids: [4, 8] };
    expect(filterOf(search)).toEqual({ ...rest, and: conditions });
    expect(filterOf({ ...search, match: 'any' })).toEqual({ ...rest, or: conditions });
    expect(filterOf({ inBranches: true })).toEqual({});
  });

  it('has days that go on with the time', () => {
    const friday = new Date(2026, 10, 27, 12);
    expect(instantsIn({ from: 'yesterday', to: 'yesterday' }, friday)).toEqual({
      since: day('2026-11-26'),
      before: day('2026-11-27'),
    });
    expect(instantsIn({ from: 'week' }, friday)).toEqual({ since: day('2026-11-23'), before: undefined });
  });

  it('shows the best match of a search first, unless another order is chosen', () => {
    const searches = [
      {},
      { q: 'law' },
      { q: 'law', sort: 'CODE_ASC' },
      { sort: 'RELEVANCE' },
      { sort: 'ATTRIBUTE_ASC' },
    ];
    expect(searches.map(parseProgramsSearch).map(orderTextOf)).toEqual([
      'NAME_ASC',
      'RELEVANCE',
      'CODE_ASC',
      'NAME_ASC',
      'NAME_ASC',
    ]);
    const byLevel = sortedBy('ATTRIBUTE_DESC level');
    expect([orderTextOf(parseProgramsSearch(byLevel)), sortedBy(null)]).toEqual([
      'ATTRIBUTE_DESC level',
      { sort: undefined, sortKey: undefined },
    ]);
  });

  it('is described as it is read, and is whole in the address of an export', () => {
    const search = parseProgramsSearch({
      q: 'optics',
      duration: { is: ['4 Years', '5 Years'], not: true },
      branches: { from: '2', to: '5' },
      changed: { from: '2026-11-05' },
      created: { from: 'week' },
      attributes: { level: 'PG', campus: null },
      sort: 'BRANCHES_DESC',
    });
    expect(describeFilter(search)).toBe(
      '“optics”, Duration is not 4 Years or 5 Years, Number of branches is from 2 to 5, Changed since 5 Nov 2026, Created this week, level is PG, campus is empty',
    );
    const { searchParams } = new URL(exportAddress('csv', search), 'http://service');
    expect({ ...Object.fromEntries(searchParams), and: JSON.parse(searchParams.get('and') ?? '') }).toEqual({
      search: 'optics',
      and: JSON.parse(JSON.stringify(filterOf(search).and)),
      orderBy: 'BRANCHES_DESC',
    });
  });

  it('has the shortest form of a condition, and none for one that says nothing', () => {
    const given: Condition[] = [
      { is: ['a'] },
      { is: ['a'], not: true },
      { is: [] },
      { has: false },
      { from: '', to: '2' },
    ];
    expect(given.map(inAddress)).toEqual(['a', { is: ['a'], not: true }, undefined, { has: false }, { to: '2' }]);
    expect(withAttribute({ attributes: { level: 'PG' } }, 'level', undefined)).toEqual({ attributes: undefined });
  });
});
