import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { errorBody, invalid, statusAndBody } from './expectations.ts';
import { idProblems, unknownIds, wrongIds } from './path-ids.ts';

const path = '/api/academics/branches';

const server = useServer();
let programId: number;
beforeAll(async () => {
  programId = (await server.make.program()).id;
});

const retrieve = (id: number | string, key?: string | null) => server.rest('get', `${path}/${id}`, key);

describe('GET /v1/api/academics/branches/{id}', () => {
  describe('200', () => {
    it('returns the branch and its years in order, with exactly the documented fields', async () => {
      const { id } = await server.make.branch(programId, {
        description: 'Light.\n\tAnd more.',
        years: 10,
        codePrefix: 'Y',
        codeIsNumeric: false,
      });

      const { status, body } = await retrieve(id);

      expect({ status, body }).toEqual({
        status: 200,
        body: {
          id,
          name: 'Optics',
          description: 'Light.\n\tAnd more.',
          years: [...'ABCDEFGHIJ'].map((letter, index) => ({
            id: expect.any(Number),
            code: `Y${letter}`,
            year: index + 1,
          })),
        },
      });
      expect(new Set(body.years.map((year: { id: number }) => year.id)).size).toBe(10);
    });

    it('accepts any active user: no permission is needed', async () => {
      const { id } = await server.make.branch(programId);
      for (const role of ['guest', 'viewer', 'editor', 'admin'] as const) {
        const key = await server.makeKey({ role, user: `reading ${role}`, readOnly: true });
        expect((await retrieve(id, key)).status).toBe(200);
      }
    });
  });

  describe('400', () => {
    it.each(wrongIds)('rejects the id %s', async (id) => {
      expect(statusAndBody(await retrieve(id))).toEqual(invalid(idProblems));
    });
  });

  describe('404', () => {
    it.each(unknownIds)('names branch %s, which does not exist', async (id) => {
      expect(statusAndBody(await retrieve(id))).toEqual(errorBody(404, `Branch ${id} does not exist.`));
    });
  });
});
