import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOf, pageRequest } from '../../src/academics/page.ts';

const problems = (request: object): string[] | undefined =>
  pageRequest.safeParse(request).error?.issues.map(({ message }) => message);

describe('the request of a page', () => {
  it.each([
    [{}, { page: 1, size: 20 }],
    [
      { page: null, size: null },
      { page: 1, size: 20 },
    ],
    [
      { page: 2, size: 1 },
      { page: 2, size: 1 },
    ],
    [
      { page: 2_147_483_647, size: 100 },
      { page: 2_147_483_647, size: 100 },
    ],
    [{ size: 101 }, { page: 1, size: 100 }],
    [{ size: Number.MAX_SAFE_INTEGER }, { page: 1, size: 100 }],
    [{ size: 1e300 }, { page: 1, size: 100 }],
  ])('%j is %j', (request, expected) => {
    expect(pageRequest.parse(request)).toEqual(expected);
  });

  it('refuses what is no positive integer, both at once', () => {
    for (const value of [0, -0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', '', true, [], [1], {}, 1n]) {
      expect(problems({ page: value, size: value })).toEqual([
        'page must be a positive integer.',
        'size must be a positive integer.',
      ]);
    }
  });

  it('refuses a page above the largest integer of GraphQL', () => {
    for (const page of [2_147_483_648, 1e300]) {
      expect(problems({ page })).toEqual(['page must be at most 2147483647.']);
    }
  });
});

describe('a page', () => {
  it('has no pages and no neighbours when there is nothing', () => {
    expect(pageOf([], 0, 1, 20)).toEqual({
      items: [],
      pageNumber: 1,
      pageSize: 20,
      totalPages: 0,
      count: 0,
      hasPreviousPage: false,
      hasNextPage: false,
    });
  });

  it('adds up, whatever the counts', () => {
    const count = fc.integer({ min: 0, max: 1_000 });
    const pageNumber = fc.integer({ min: 1, max: 1_200 });
    const pageSize = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(count, pageNumber, pageSize, (all, number, size) => {
        const { totalPages, hasPreviousPage, hasNextPage } = pageOf([], all, number, size);
        // The last page holds the last item, and there is no page after it.
        expect(totalPages * size).toBeGreaterThanOrEqual(all);
        expect((totalPages - 1) * size).toBeLessThan(all === 0 ? 1 : all);
        expect(hasNextPage).toBe(number * size < all);
        expect(hasPreviousPage).toBe(number > 1);
      }),
    );
  });
});
