import { beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { useServer } from '../support/server.ts';
import { errorBody, invalid, statusAndBody } from './expectations.ts';

const path = '/api/academics/branches';

const server = useServer();
let programId: number;
let valid: { programId: number; name: string; years: number };
beforeAll(async () => {
  programId = (await factoriesFor(server).program()).id;
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

    it.each([
      ['nothing optional', {}, ['1', '2', '3']],
      ['null for every optional field', { codePrefix: null, codeIsNumeric: null, description: null }, ['1', '2', '3']],
      ['letters', { codePrefix: 'L', codeIsNumeric: false }, ['LA', 'LB', 'LC']],
      ['a prefix with spaces around it and inside', { codePrefix: ' L - ' }, ['L -1', 'L -2', 'L -3']],
      ['a blank prefix', { codePrefix: '  ' }, ['1', '2', '3']],
      ['the longest prefix', { codePrefix: '𝔘'.repeat(20), years: 1 }, [`${'𝔘'.repeat(20)}1`]],
      ['ten years', { years: 10, codeIsNumeric: false }, [...'ABCDEFGHIJ']],
    ])('derives the codes from %s', async (_what, fields, expected) => {
      const { status, body } = await create({ ...valid, ...fields });

      expect({ status, body }).toEqual({ status: 201, body: { id: body.id, name: 'Optics', description: '' } });
      expect(await years(body.id)).toEqual(codes(expected));
    });

    it('accepts a whole number in any JSON notation', async () => {
      for (const number of ['2', '2.0', '2e0', '20e-1', '0.2E1']) {
        const { status, body } = await create(`{"programId":${programId}.0,"name":"Optics","years":${number}}`);
        expect([number, status]).toEqual([number, 201]);
        expect(await years(body.id)).toEqual(codes(['1', '2']));
      }
    });

    it('ignores unknown fields', async () => {
      const { status, body } = await create({ ...valid, id: 1, code: 7, program: {}, yearCodes: ['X'] });
      expect({ status, body }).toEqual({ status: 201, body: { id: body.id, name: 'Optics', description: '' } });
    });

    it('accepts any active user: no permission is needed', async () => {
      for (const role of ['guest', 'viewer', 'editor', 'admin'] as const) {
        expect((await create(valid, await makeKey(server.database, { role }))).status).toBe(201);
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

    it('takes precedence over a program that does not exist', async () => {
      for (const id of [999_999, 2_147_483_648]) {
        expect(statusAndBody(await create({ ...valid, programId: id, years: 0 }))).toEqual(
          invalid({ years: ['years must be from 1 to 10.'] }),
        );
      }
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

    it('names a deleted program', async () => {
      const { id } = await factoriesFor(server).program();
      await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
      expect(statusAndBody(await create({ ...valid, programId: id }))).toEqual(
        errorBody(404, `Program ${id} does not exist.`),
      );
    });
  });
});
