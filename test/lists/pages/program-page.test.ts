import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../../support/server.ts';

const server = useSharedServer();
const ids: number[] = [];
beforeAll(async () => {
  for (let index = 0; index < 23; index += 1) ids.push((await server.make.program({ name: `Program ${index}` })).id);
});

const query = `query ($page: Int, $size: Int) {
  programs(page: $page, size: $size) {
    items { id } pageNumber pageSize totalPages count hasPreviousPage hasNextPage
  }
}`;
const request = async (variables: object = {}) => (await server.graphql(query, variables)).body;

describe('programs', () => {
  it.each<[string, object, [number, number], number, number, number, boolean, boolean]>([
    ['nothing', {}, [0, 20], 1, 20, 2, false, true],
    ['null', { page: null, size: null }, [0, 20], 1, 20, 2, false, true],
    ['the last page', { page: 2 }, [20, 23], 2, 20, 2, true, false],
    ['a page in the middle', { page: 2, size: 5 }, [5, 10], 2, 5, 5, true, true],
    ['a page past the end', { page: 3 }, [20, 20], 3, 20, 2, true, false],
    ['a size above it', { size: 101 }, [0, 23], 1, 100, 1, false, false],
  ])('are paged for %s', async (_what, variables, [from, to], ...page) => {
    const [pageNumber, pageSize, totalPages, hasPreviousPage, hasNextPage] = page;
    expect(await request(variables)).toEqual({
      data: {
        programs: {
          items: ids.slice(from, to).map((id) => ({ id })),
          pageNumber,
          pageSize,
          totalPages,
          count: 23,
          hasPreviousPage,
          hasNextPage,
        },
      },
    });
  });

  it('reports an invalid page and an invalid size together', async () => {
    for (const value of [0, -1, -2_147_483_648]) {
      expect(await request({ page: value, size: value })).toEqual({
        data: null,
        errors: [
          expect.objectContaining({
            message: 'The request has invalid input.',
            path: ['programs'],
            extensions: expect.objectContaining({
              code: 'VALIDATION_FAILED',
              errors: { page: ['page must be a positive integer.'], size: ['size must be a positive integer.'] },
            }),
          }),
        ],
      });
    }
  });
});
