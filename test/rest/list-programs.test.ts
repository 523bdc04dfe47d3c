import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { invalid, statusAndBody } from './expectations.ts';

const path = '/api/academics/programs';
const notPositive = (field: string) => invalid({ [field]: [`${field} must be a positive integer.`] });

const server = useSharedServer();
/** The ids of the programs that exist. */
const ids: number[] = [];
beforeAll(async () => {
  for (let number = 1; number <= 7; number += 1) {
    const { id } = await server.make.program({ name: `Program ${8 - number}`, duration: `${number} Years`, code: 'P' });
    ids.push(id);
  }
});

const list = (query = '', key?: string | null) => server.rest('get', `${path}${query}`, key);

describe('GET /v1/api/academics/programs', () => {
  describe('200', () => {
    it('lists the first 20 programs by id, with the fields of a list item and no others', async () => {
      expect(statusAndBody(await list())).toEqual({
        status: 200,
        body: {
          items: ids.map((id, index) => ({ id, name: `Program ${7 - index}`, duration: `${index + 1} Years` })),
          pageNumber: 1,
          pageSize: 20,
          totalPages: 1,
          count: 7,
          hasPreviousPage: false,
          hasNextPage: false,
        },
      });
    });

    it.each([
      [1, [0, 1, 2]],
      [2, [3, 4, 5]],
      [3, [6]],
      [4, []],
      [2_147_483_647, []],
    ])('returns page %i of three', async (pageNumber, places) => {
      expect(statusAndBody(await list(`?page=${pageNumber}&size=3`))).toEqual({
        status: 200,
        body: {
          items: places.map((place) => ({
            id: ids[place],
            name: `Program ${7 - place}`,
            duration: `${place + 1} Years`,
          })),
          pageNumber,
          pageSize: 3,
          totalPages: 3,
          count: 7,
          hasPreviousPage: pageNumber > 1,
          hasNextPage: pageNumber < 3,
        },
      });
    });

    it.each([
      ['?size=3', { first: 1, next: 2, last: 3 }],
      ['?page=2&size=3', { first: 1, prev: 1, next: 3, last: 3 }],
      ['?page=3&size=3', { first: 1, prev: 2, last: 3 }],
      ['?page=9&size=3', { first: 1, prev: 3, last: 3 }],
      ['', { first: 1, last: 1 }],
      ['?size=500', { first: 1, last: 1 }],
    ])('links the pages of the list from that of "%s", from the cache too', async (query, pages) => {
      const { body, headers } = await list(query);
      const links = Object.entries(pages).map(
        ([relation, page]) => `</v1${path}?page=${page}&size=${body.pageSize}>; rel="${relation}"`,
      );
      expect(headers['link']).toBe(links.join(', '));
      expect((await list(query)).headers['link']).toBe(headers['link']);
    });

    it.each([
      ['?size=1', 1],
      ['?size=99', 99],
      ['?size=100', 100],
      ['?size=101', 100],
      ['?size=2147483648', 100],
      [`?size=${'9'.repeat(30)}`, 100],
      [`?size=1${'0'.repeat(400)}`, 100],
      ['?page=1', 20],
      ['?size=%35', 5],
      ['?page=1&size=5&Page=0&SIZE=abc&page[]=2&size%20=7&sort=name&%zz', 5],
      ['?', 20],
      ['?&&=', 20],
    ])('reads %s as a page size of %i', async (query, pageSize) => {
      expect((await list(query)).body).toMatchObject({ pageNumber: 1, pageSize, count: 7 });
    });
  });

  describe('400', () => {
    const invalidNumbers =
      '0 -1 -0 1.5 1.0 +1 %2B1 01 1e2 0x1 abc %20 1%20 1,2 null true NaN Infinity -Infinity ١ １ %00 %zz 1;2 {} [1]';

    it.each(['page', 'size'])('rejects a %s that is not a positive integer', async (field) => {
      for (const value of ['', ...invalidNumbers.split(' ')]) {
        const response = await list(`?${field}=${encodeURI(value).replaceAll('%25', '%')}`);
        expect([value, statusAndBody(response)]).toEqual([value, notPositive(field)]);
      }
      expect(statusAndBody(await list(`?${field}`))).toEqual(notPositive(field));
    });

    it.each(['page', 'size'])('rejects a repeated %s, even with equal or empty values', async (field) => {
      for (const query of [`?${field}=1&${field}=2`, `?${field}=1&${field}=1`, `?${field}=&${field}=1`]) {
        expect(statusAndBody(await list(query))).toEqual(notPositive(field));
      }
    });

    it('rejects a page number above 2147483647', async () => {
      const tooLarge = invalid({ page: ['page must be at most 2147483647.'] });
      expect(statusAndBody(await list('?page=2147483648'))).toEqual(tooLarge);
      expect(statusAndBody(await list(`?page=${'9'.repeat(400)}`))).toEqual(tooLarge);
    });
  });
});
