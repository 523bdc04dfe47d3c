import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { invalid, statusAndBody } from './expectations.ts';

const path = '/api/academics/programs';
const valid = { name: 'Physics', duration: '4 Years' };

const server = useServer();

const create = (body: string | object, key?: string | null) =>
  server.rest('post', path, key).type('application/json').send(body);
const count = async (): Promise<number> => (await server.rest('get', path)).body.count;
const codeOf = async (id: number): Promise<unknown> =>
  (await server.graphql('query ($id: Int!) { program(id: $id) { code } }', { id })).body.data.program.code;

describe('POST /v1/api/academics/programs', () => {
  describe('201', () => {
    it('returns the program and its Location', async () => {
      const response = await create(valid);

      expect(statusAndBody(response)).toEqual({ status: 201, body: { id: expect.any(Number), ...valid } });
      expect(response.headers).toMatchObject({
        location: `/v1${path}/${response.body.id}`,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-cache',
      });
      expect(response.headers).not.toHaveProperty('etag');
      expect(statusAndBody(await server.rest('get', `${path}/${response.body.id}`))).toEqual({
        status: 200,
        body: { ...response.body, branches: [] },
      });
    });

    it.each([
      ['absent', {}, null],
      ['blank', { code: '  ' }, null],
      ['given', { code: ' PHY-1 ' }, 'PHY-1'],
    ])('stores a code that is %s and returns it over GraphQL only', async (_what, fields, code) => {
      const { status, body } = await create({ ...valid, ...fields });

      expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(Number), ...valid } });
      expect(await codeOf(body.id)).toBe(code);
    });

    it('ignores unknown fields, those named __proto__ or constructor included', async () => {
      const response = await create(
        '{"name":"Physics","duration":"4 Years","id":7,"branches":[{"id":1}],"version":9,"deletedAt":"2020-01-01",' +
          '"__proto__":{"name":"other","code":"X"},"constructor":{"prototype":{"code":"X"}},"toString":1,"":0}',
      );
      expect(statusAndBody(response)).toEqual({ status: 201, body: { id: expect.any(Number), ...valid } });
      expect(response.body.id).not.toBe(7);
      expect(await codeOf(response.body.id)).toBeNull();
    });

    it('accepts editors and administrators', async () => {
      for (const role of ['editor', 'admin'] as const) {
        expect((await create(valid, await server.makeKey({ role }))).status).toBe(201);
      }
    });
  });

  describe('400', () => {
    it('reports every invalid field under its name', async () => {
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

    it('does not read fields from a __proto__ in the body', async () => {
      expect(statusAndBody(await create('{"__proto__":{"name":"Physics","duration":"4 Years"}}'))).toEqual(
        invalid({ name: ['name is required.'], duration: ['duration is required.'] }),
      );
    });

    it('creates nothing', async () => {
      const before = await count();
      await create({ ...valid, duration: ' ' });
      await create({ ...valid, code: 'x'.repeat(51) });
      expect(await count()).toBe(before);
    });
  });
});
