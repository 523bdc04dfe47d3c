import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOf, pageRequest } from '../../src/validation/pages.ts';

const problems = (request: object): string[] | undefined =>
  pageRequest.safeParse(request).error?.issues.map(({ message }) => message);

describe('pageRequest', () => {
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
  ])('parses %j to %j', (request, expected) => {
    expect(pageRequest.parse(request)).toEqual(expected);
  });

  it('rejects values that are not positive integers and reports both fields at once', () => {
    for (const value of [0, -0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', '', true, [], [1], {}, 1n]) {
      expect(problems({ page: value, size: value })).toEqual([
        'page must be a positive integer.',
        'size must be a positive integer.',
      ]);
    }
  });

  it('rejects a page above the largest GraphQL Int', () => {
    for (const page of [2_147_483_648, 1e300]) {
      expect(problems({ page })).toEqual(['page must be at most 2147483647.']);
    }
  });
});

describe('pageOf', () => {
  it('has no pages, no previous page and no next page for an empty list', () => {
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

  it('computes totalPages, hasPreviousPage and hasNextPage consistently for any count', () => {
    // Few of each, so that the last page and those beside it are among them.
    const small = (max: number) => fc.integer({ min: 1, max });
    fc.assert(
      fc.property(fc.nat(30), small(12), small(12), (all, number, size) => {
        const { totalPages, hasPreviousPage, hasNextPage } = pageOf([], all, number, size);
        // The last page holds the last item, and there is no page after it.
        expect(totalPages * size).toBeGreaterThanOrEqual(all);
        expect((totalPages - 1) * size).toBeLessThan(all === 0 ? 1 : all);
        expect(hasNextPage).toBe(number * size < all);
        expect(hasPreviousPage).toBe(number > 1);
      }),
      { numRuns: 500 },
    );
  });
});
