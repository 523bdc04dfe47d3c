import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { errorBody, invalid, keyMissing, statusAndBody, userNotAuthenticated } from './expectations.ts';
import { idProblems, unknownIds, wrongIds } from './path-ids.ts';

const path = '/api/academics/programs';

let server: TestServer;
let make: ReturnType<typeof factoriesFor>;
beforeAll(async () => {
  server = await startTestServer();
  make = factoriesFor(server);
});
afterAll(() => server.close());

const retrieve = (id: number | string, key?: string | null) => server.rest('get', `${path}/${id}`, key);

describe('GET /v1/api/academics/programs/{id}', () => {
  describe('200', () => {
    it('answers with the program and its branches by id, with their fields and no others', async () => {
      const { id } = await make.program({ code: 'PHY' });
      const other = await make.program();
      const second = await make.branch(id, { name: 'B', description: 'Light.', codePrefix: 'L' });
      await make.branch(other.id);
      const third = await make.branch(id, { name: 'A' });

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

    it('shows all branches of a program that has many', async () => {
      const { id } = await make.program();
      for (let count = 0; count < 30; count += 1) await make.branch(id, { years: 1 });
      expect((await retrieve(id)).body.branches).toHaveLength(30);
    });

    it('shows a deleted branch no more', async () => {
      const { id } = await make.program();
      const [gone, responseCache] = [await make.branch(id), await make.branch(id)];
      expect((await retrieve(id)).body.branches).toHaveLength(2);
      await server.graphql(`mutation { deleteBranch(id: ${gone.id}) { id } }`);
      expect((await retrieve(id)).body.branches).toEqual([{ id: responseCache.id, name: 'Optics', description: '' }]);
    });

    it('takes a digit for what it is, encoded too, and minds no query', async () => {
      const { id } = await make.program();
      const encoded = [...String(id)].map((digit) => `%3${digit}`).join('');
      const answer = { status: 200, body: { id, name: 'Physics', duration: '4 Years', branches: [] } };
      for (const address of [encoded, `${encoded}?q=%zz`, `${id}?id=7&page=0`]) {
        expect([address, statusAndBody(await retrieve(address))]).toEqual([address, answer]);
      }
    });
  });

  describe('400', () => {
    it.each(wrongIds)('refuses the id %s', async (id) => {
      expect(statusAndBody(await retrieve(id))).toEqual(invalid(idProblems));
    });
  });

  describe('401', () => {
    it('asks for a key, and for an active user behind it', async () => {
      const disabled = await makeKey(server.database, { user: 'gone', role: 'admin', disabled: true });
      expect(statusAndBody(await retrieve(1, null))).toEqual(keyMissing);
      for (const id of ['1', '0', 'abc', '%zz'])
        expect(statusAndBody(await retrieve(id, disabled))).toEqual(userNotAuthenticated);
    });
  });

  describe('403', () => {
    it('names the permission that a guest lacks, whatever the id', async () => {
      const guest = await makeKey(server.database, { role: 'guest' });
      const { id } = await make.program();
      for (const asked of [id, '0', 'abc', '%zz', '2147483648']) {
        expect(statusAndBody(await retrieve(asked, guest))).toEqual(
          errorBody(403, 'You need the permission programs:read.'),
        );
      }
    });

    it('lets viewers in', async () => {
      const { id } = await make.program();
      expect((await retrieve(id, await makeKey(server.database, { role: 'viewer' }))).status).toBe(200);
    });
  });

  describe('404', () => {
    it.each(unknownIds)('names the program %s, which does not exist', async (id) => {
      expect(statusAndBody(await retrieve(id))).toEqual(errorBody(404, `Program ${id} does not exist.`));
    });

    it('names the program that no longer exists', async () => {
      const { id } = await make.program();
      expect((await retrieve(id)).status).toBe(200);
      await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
      expect(statusAndBody(await retrieve(id))).toEqual(errorBody(404, `Program ${id} does not exist.`));
    });
  });

  describe('405', () => {
    it.each(['post', 'put', 'patch', 'delete', 'options'] as const)('names GET and HEAD to %s', async (method) => {
      for (const id of ['1', 'abc', '%zz']) {
        const answer = await server.rest(method, `${path}/${id}`);
        expect(statusAndBody(answer)).toEqual(
          errorBody(405, `${method.toUpperCase()} is not allowed here; use GET, HEAD.`),
        );
        expect(answer.headers['allow']).toBe('GET, HEAD');
      }
    });
  });
});
