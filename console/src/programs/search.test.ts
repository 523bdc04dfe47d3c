import { describe, expect, it } from 'vitest';
import { filterOf, parseProgramsSearch } from './search.ts';

describe('the state of the list in its URL', () => {
  it('keeps what it understands, and drops the rest', () => {
    const search = { q: 'law', sort: 'NAME_DESC', branches: 'with', since: 'yesterday', page: 7, duration: '' };

    expect(parseProgramsSearch(search)).toEqual({ q: 'law', sort: 'NAME_DESC', branches: 'with' });
  });

  it('takes words that look like numbers as words', () => {
    expect(parseProgramsSearch({ q: 2024 })).toEqual({ q: '2024' });
  });

  it('becomes the filter of the service', () => {
    const filter = filterOf({ q: 'optics', inBranches: true, duration: '4 Years', branches: 'without' });

    expect(filter).toEqual({ search: 'optics', searchBranches: true, duration: '4 Years', hasBranches: false });
  });

  it('searches branches only for words', () => {
    expect(filterOf({ inBranches: true })).toEqual({});
  });
});
