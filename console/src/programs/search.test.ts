import { describe, expect, it } from 'vitest';
import { orderOf, sortedBy, withAttribute } from '../lists/search.ts';
import { describeFilter } from './filters.ts';
import { filterOf, parseProgramsSearch } from './search.ts';

describe('the state of the list in its URL', () => {
  it('keeps what it understands, and drops the rest', () => {
    const search = { q: 'law', sort: 'NAME_DESC', branches: 'with', since: 'yesterday', page: 7, duration: '' };

    expect(parseProgramsSearch(search)).toEqual({ q: 'law', sort: 'NAME_DESC', branches: 'with' });
  });

  it('takes text that looks like a number as text', () => {
    expect(parseProgramsSearch({ q: 2024 })).toEqual({ q: '2024' });
  });

  it('becomes the filter of the service', () => {
    const filter = filterOf({ q: 'optics', inBranches: true, duration: '4 Years', branches: 'without' });

    expect(filter).toEqual({ search: 'optics', searchBranches: true, duration: '4 Years', hasBranches: false });
  });

  it('shows the best match of a search first, unless another order is chosen', () => {
    expect(
      [{}, { q: 'law' }, { q: 'law', sort: 'NAME_ASC' }, { sort: 'RELEVANCE' }].map(parseProgramsSearch).map(orderOf),
    ).toEqual(['NAME_ASC', 'RELEVANCE', 'NAME_ASC', 'NAME_ASC']);
    expect([sortedBy('NAME_DESC'), sortedBy(null)]).toEqual([{ sort: 'NAME_DESC' }, { sort: undefined }]);
  });

  it('has the records that somebody has selected, and nothing that is no id', () => {
    expect([{ ids: '4,8' }, { ids: 15 }, { ids: '4,x' }].map(parseProgramsSearch).map(filterOf)).toEqual([
      { ids: [4, 8] },
      { ids: [15] },
      {},
    ]);
  });

  it('searches branches only with a text', () => {
    expect(filterOf({ inBranches: true })).toEqual({});
  });

  it('is described for the export', () => {
    const descriptions = [
      {
        q: 'optics',
        inBranches: true,
        duration: '4 Years',
        branches: 'without',
        since: '2026-11-05',
        sort: 'NAME_DESC',
      },
      { q: 'law' },
      { attributes: { level: 'PG', campus: null } },
      {},
    ].map((search) => describeFilter(parseProgramsSearch(search)));

    expect(descriptions).toEqual([
      '“optics”, Duration: 4 Years, Branches: None, Changed since: 5 Nov 2026, Search also in: branches',
      '“law”',
      'level: PG, campus: none',
      '',
    ]);
  });

  it('has attributes with a value, or without one', () => {
    const search = parseProgramsSearch({ attributes: { level: 'PG', campus: null } });
    expect(filterOf(search)).toEqual({
      attributes: [
        { key: 'level', value: 'PG' },
        { key: 'campus', value: null },
      ],
    });
    expect(withAttribute(search, 'level', undefined)).toEqual({ attributes: { campus: null } });
    expect(parseProgramsSearch({ attributes: 'level' })).toEqual({});
  });
});
