import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { errorBody, invalid, statusAndBody } from './expectations.ts';

const path = '/api/academics/branches';

const server = useServer();
let programId: number;
let valid: { programId: number; name: string; years: number };
beforeAll(async () => {
  programId = (await server.make.program()).id;
  valid = { programId, name: 'Optics', years: 3 };
});

const create = (body: string | object, key?: string | null) =>
  server.rest('post', path, key).type('application/json').send(body);
const years = async (id: number): Promise<unknown> => (await server.rest('get', `${path}/${id}`)).body.years;
const codes = (list: readonly string[]) =>
  list.map((code, index) => ({ id: expect.any(Number), code, year: index + 1 }));

describe('POST /v1/api/academics/branches', () => {
  describe('201', () => {
    it('returns the branch without its years, and its Location', async () => {
      const description = 'Light.';
      const response = await create({ ...valid, codePrefix: 'L', codeIsNumeric: true, description });

      const { id } = response.body;
      expect(statusAndBody(response)).toEqual({
        status: 201,
        body: { id: expect.any(Number), name: 'Optics', description },
      });
      expect(response.headers).toMatchObject({ location: `/v1${path}/${id}`, 'cache-control': 'private, no-cache' });
      expect(statusAndBody(await server.rest('get', `${path}/${id}`))).toEqual({
        status: 200,
        body: { id, name: 'Optics', description, years: codes(['L1', 'L2', 'L3']) },
      });
    });

    it('accepts a whole number in any JSON notation', async () => {
      for (const number of ['2', '2.0', '2e0', '20e-1', '0.2E1']) {
        const { status, body } = await create(`{"programId":${programId}.0,"name":"Optics","years":${number}}`);
        expect([number, status]).toEqual([number, 201]);
        expect(await years(body.id)).toEqual(codes(['1', '2']));
      }
    });

    it('accepts any active user: no permission is needed', async () => {
      for (const role of ['guest', 'viewer', 'editor', 'admin'] as const) {
        expect((await create(valid, await server.makeKey({ role }))).status).toBe(201);
      }
    });
  });

  describe('400', () => {
    it('reports every invalid field under its name', async () => {
      expect(statusAndBody(await create({}))).toEqual(
        invalid({
          programId: ['programId is required.'],
          name: ['name is required.'],
          years: ['years is required.'],
        }),
      );
      const invalidInput = {
        programId: '1',
        name: ' ',
        years: 11,
        codePrefix: 1,
        codeIsNumeric: 'true',
        description: [],
      };
      expect(statusAndBody(await create(invalidInput))).toEqual(
        invalid({
          programId: ['programId must be an integer.'],
          name: ['name must not be blank.'],
          years: ['years must be from 1 to 10.'],
          codePrefix: ['codePrefix must be a string.'],
          codeIsNumeric: ['codeIsNumeric must be true or false.'],
          description: ['description must be a string.'],
        }),
      );
    });
  });

  describe('404', () => {
    it('names a program that does not exist', async () => {
      for (const id of [999_999, 2_147_483_647, 2_147_483_648, 9_007_199_254_740_991]) {
        expect(statusAndBody(await create({ ...valid, programId: id }))).toEqual(
          errorBody(404, `Program ${id} does not exist.`),
        );
      }
      expect(statusAndBody(await create(`{"programId":1e20,"name":"Optics","years":1}`))).toEqual(
        errorBody(404, 'Program 100000000000000000000 does not exist.'),
      );
    });
  });
});
