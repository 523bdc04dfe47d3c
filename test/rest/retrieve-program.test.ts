import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { errorBody, invalid, statusAndBody } from './expectations.ts';
import { idProblems, unknownIds, wrongIds } from './path-ids.ts';

const path = '/api/academics/programs';

const server = useServer();

const retrieve = (id: number | string, key?: string | null) => server.rest('get', `${path}/${id}`, key);

describe('GET /v1/api/academics/programs/{id}', () => {
  describe('200', () => {
    it('returns the program and its branches by id, with exactly the documented fields', async () => {
      const { id } = await server.make.program({ code: 'PHY' });
      const other = await server.make.program();
      const second = await server.make.branch(id, { name: 'B', description: 'Light.', codePrefix: 'L' });
      await server.make.branch(other.id);
      const third = await server.make.branch(id, { name: 'A' });

      expect(statusAndBody(await retrieve(id))).toEqual({
        status: 200,
        body: {
          id,
          name: 'Physics',
          duration: '4 Years',
          branches: [
            { id: second.id, name: 'B', description: 'Light.' },
            { id: third.id, name: 'A', description: '' },
          ],
        },
      });
    });

    it('returns all branches of a program that has many', async () => {
      const { id } = await server.make.program();
      for (let count = 0; count < 30; count += 1) await server.make.branch(id, { years: 1 });
      expect((await retrieve(id)).body.branches).toHaveLength(30);
    });

    it('accepts percent-encoded digits and ignores a query string', async () => {
      const { id } = await server.make.program();
      const encoded = [...String(id)].map((digit) => `%3${digit}`).join('');
      const response = { status: 200, body: { id, name: 'Physics', duration: '4 Years', branches: [] } };
      for (const address of [encoded, `${encoded}?q=%zz`, `${id}?id=7&page=0`]) {
        expect([address, statusAndBody(await retrieve(address))]).toEqual([address, response]);
      }
    });
  });

  describe('400', () => {
    it.each(wrongIds)('rejects the id %s', async (id) => {
      expect(statusAndBody(await retrieve(id))).toEqual(invalid(idProblems));
    });
  });

  describe('404', () => {
    it.each(unknownIds)('names program %s, which does not exist', async (id) => {
      expect(statusAndBody(await retrieve(id))).toEqual(errorBody(404, `Program ${id} does not exist.`));
    });
  });
});
