import { beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { useServer } from '../support/server.ts';
import { errorBody, invalid, statusAndBody } from './expectations.ts';
import { idProblems, unknownIds, wrongIds } from './path-ids.ts';

const path = '/api/academics/branches';

const server = useServer();
const make = factoriesFor(server);
let programId: number;
beforeAll(async () => {
  programId = (await make.program()).id;
});

const retrieve = (id: number | string, key?: string | null) => server.rest('get', `${path}/${id}`, key);

describe('GET /v1/api/academics/branches/{id}', () => {
  describe('200', () => {
    it('returns the branch and its years in order, with exactly the documented fields', async () => {
      const { id } = await make.branch(programId, {
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
      const { id } = await make.branch(programId);
      for (const role of ['guest', 'viewer', 'editor', 'admin'] as const) {
        const key = await makeKey(server.database, { role, user: `reading ${role}`, readOnly: true });
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

    it('names a deleted branch', async () => {
      const { id } = await make.branch(programId);
      expect((await retrieve(id)).status).toBe(200);
      await server.graphql(`mutation { deleteBranch(id: ${id}) { id } }`);
      expect(statusAndBody(await retrieve(id))).toEqual(errorBody(404, `Branch ${id} does not exist.`));
    });

    it('names a branch that was deleted with its program', async () => {
      const program = await make.program();
      const { id } = await make.branch(program.id);
      expect((await retrieve(id)).status).toBe(200);
      await server.graphql(`mutation { deleteProgram(id: ${program.id}) { id } }`);
      expect(statusAndBody(await retrieve(id))).toEqual(errorBody(404, `Branch ${id} does not exist.`));
    });
  });
});
