import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { errorBody, invalid, keyMissing, keyReadOnly, statusAndBody, userNotAuthenticated } from './expectations.ts';

const path = '/api/academics/programs';
const sound = { name: 'Physics', duration: '4 Years' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const create = (body: string | object, key?: string | null) =>
  server.rest('post', path, key).type('application/json').send(body);
const count = async (): Promise<number> => (await server.rest('get', path)).body.count;
const codeOf = async (id: number): Promise<unknown> =>
  (await server.graphql('query ($id: Int!) { program(id: $id) { code } }', { id })).body.data.program.code;

describe('POST /v1/api/academics/programs', () => {
  describe('201', () => {
    it('answers with the program and says where it is', async () => {
      const answer = await create(sound);

      expect(statusAndBody(answer)).toEqual({ status: 201, body: { id: expect.any(Number), ...sound } });
      expect(answer.headers).toMatchObject({
        location: `/v1${path}/${answer.body.id}`,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-cache',
      });
      expect(answer.headers).not.toHaveProperty('etag');
      expect(statusAndBody(await server.rest('get', `${path}/${answer.body.id}`))).toEqual({
        status: 200,
        body: { ...answer.body, branches: [] },
      });
    });

    it('gives equal programs ids of their own', async () => {
      const [first, second] = [await create(sound), await create(sound)];
      expect(second.body.id).toBeGreaterThan(first.body.id);
    });

    it.each([
      ['absent', {}, null],
      ['null', { code: null }, null],
      ['empty', { code: '' }, null],
      ['blank', { code: '  ' }, null],
      ['given', { code: ' PHY-1 ' }, 'PHY-1'],
      ['as long as can be', { code: '𝔘'.repeat(50) }, '𝔘'.repeat(50)],
    ])('keeps a code that is %s and shows it in GraphQL only', async (_what, fields, code) => {
      const { status, body } = await create({ ...sound, ...fields });

      expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(Number), ...sound } });
      expect(await codeOf(body.id)).toBe(code);
    });

    it('ignores fields that it does not know, those of the prototype included', async () => {
      const answer = await create(
        '{"name":"Physics","duration":"4 Years","id":7,"branches":[{"id":1}],"version":9,"deletedAt":"2020-01-01",' +
          '"__proto__":{"name":"other","code":"X"},"constructor":{"prototype":{"code":"X"}},"toString":1,"":0}',
      );
      expect(statusAndBody(answer)).toEqual({ status: 201, body: { id: expect.any(Number), ...sound } });
      expect(answer.body.id).not.toBe(7);
      expect(await codeOf(answer.body.id)).toBeNull();
    });

    it('takes the last of equal names, as JSON parsers do', async () => {
      const answer = await create('{"name":"First","duration":"4 Years","name":"Last"}');
      expect(answer.body).toMatchObject({ name: 'Last' });
    });

    it('creates for editors and administrators', async () => {
      for (const role of ['editor', 'admin'] as const) {
        expect((await create(sound, await makeKey(server.database, { role }))).status).toBe(201);
      }
    });
  });

  describe('400', () => {
    it('reports every field that is wrong, each under its name', async () => {
      expect(statusAndBody(await create({}))).toEqual(
        invalid({ name: ['name is required.'], duration: ['duration is required.'] }),
      );
      expect(statusAndBody(await create({ name: 5, duration: '', code: false }))).toEqual(
        invalid({
          name: ['name must be a string.'],
          duration: ['duration must not be blank.'],
          code: ['code must be a string.'],
        }),
      );
    });

    it('reports everything that is wrong with one field', async () => {
      expect(statusAndBody(await create({ ...sound, name: `a\n\u0000\ud800${'x'.repeat(255)}` }))).toEqual(
        invalid({
          name: [
            'name must be well-formed Unicode: it has half of a surrogate pair.',
            'name must not contain the NUL character.',
            'name must be at most 255 characters long.',
            'name must be on one line, without control characters.',
          ],
        }),
      );
    });

    it('takes nothing but a string for a string', async () => {
      for (const value of [0, 1, -1.5, true, false, [], ['Physics'], {}, { name: 'Physics' }]) {
        for (const field of ['name', 'duration', 'code']) {
          expect([value, statusAndBody(await create({ ...sound, [field]: value }))]).toEqual([
            value,
            invalid({ [field]: [`${field} must be a string.`] }),
          ]);
        }
      }
    });

    it('refuses null for a required field', async () => {
      for (const field of ['name', 'duration']) {
        expect(statusAndBody(await create({ ...sound, [field]: null }))).toEqual(
          invalid({ [field]: [`${field} must be a string.`] }),
        );
      }
    });

    it('does not find fields in the prototype that a body brings along', async () => {
      expect(statusAndBody(await create('{"__proto__":{"name":"Physics","duration":"4 Years"}}'))).toEqual(
        invalid({ name: ['name is required.'], duration: ['duration is required.'] }),
      );
    });

    it('creates nothing', async () => {
      const before = await count();
      await create({ ...sound, duration: ' ' });
      await create({ ...sound, code: 'x'.repeat(51) });
      expect(await count()).toBe(before);
    });
  });

  describe('401', () => {
    it('asks for a key, and for an active user behind it', async () => {
      const disabled = await makeKey(server.database, { user: 'gone', role: 'admin', disabled: true });
      expect(statusAndBody(await create(sound, null))).toEqual(keyMissing);
      expect(statusAndBody(await create(sound, disabled))).toEqual(userNotAuthenticated);
    });
  });

  describe('403', () => {
    it('names the permission that the user lacks, whatever else is wrong', async () => {
      const answer = errorBody(403, 'You need the permission programs:write.');
      for (const role of ['guest', 'viewer'] as const) {
        const key = await makeKey(server.database, { role });
        expect(statusAndBody(await create(sound, key))).toEqual(answer);
        expect(statusAndBody(await create('{', key))).toEqual(answer);
        expect(statusAndBody(await server.rest('post', path, key).type('text/plain').send('x'))).toEqual(answer);
        expect(statusAndBody(await create({ name: 'x'.repeat(102_401) }, key))).toEqual(answer);
      }
    });

    it('refuses a read-only key, whatever its user may do', async () => {
      const key = await makeKey(server.database, { user: 'reader', role: 'admin', readOnly: true });
      const before = await count();
      expect(statusAndBody(await create(sound, key))).toEqual(keyReadOnly);
      expect(statusAndBody(await create('{', key))).toEqual(keyReadOnly);
      expect(await count()).toBe(before);
    });
  });
});
