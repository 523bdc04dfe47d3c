import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { errorBody, invalid, statusAndBody } from './expectations.ts';
import { idProblems, unknownIds, wrongIds } from './path-ids.ts';

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';

const server = useSharedServer();
let programId: number;
let validBranch: { programId: number; name: string; years: number };
beforeAll(async () => {
  programId = (await server.make.program()).id;
  validBranch = { programId, name: 'Optics', years: 3 };
});

const post = (path: string, body: string | object, key?: string | null) =>
  server.rest('post', path, key).type('application/json').send(body);

const valid = { name: 'Physics', duration: '4 Years' };
const create = (body: string | object, key?: string | null) => post(programs, body, key);
const count = async (): Promise<number> => (await server.rest('get', programs)).body.count;
const codeOf = async (id: number): Promise<unknown> =>
  (await server.graphql('query ($id: Int!) { program(id: $id) { code } }', { id })).body.data.program.code;

describe('POST /v1/api/academics/programs', () => {
  it('returns the program and its Location', async () => {
    const response = await create(valid);

    expect(statusAndBody(response)).toEqual({ status: 201, body: { id: expect.any(Number), ...valid } });
    expect(response.headers).toMatchObject({
      location: `/v1${programs}/${response.body.id}`,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
    });
    expect(response.headers).not.toHaveProperty('etag');
    expect(statusAndBody(await server.rest('get', `${programs}/${response.body.id}`))).toEqual({
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

  it('creates nothing', async () => {
    const before = await count();
    await create({ ...valid, duration: ' ' });
    await create({ ...valid, code: 'x'.repeat(51) });
    expect(await count()).toBe(before);
  });
});

const createBranch = (body: string | object, key?: string | null) => post(branches, body, key);
const years = async (id: number): Promise<unknown> => (await server.rest('get', `${branches}/${id}`)).body.years;
const codes = (list: readonly string[]) =>
  list.map((code, index) => ({ id: expect.any(Number), code, year: index + 1 }));

describe('POST /v1/api/academics/branches', () => {
  it('returns the branch without its years, and its Location', async () => {
    const description = 'Light.';
    const response = await createBranch({ ...validBranch, codePrefix: 'L', codeIsNumeric: true, description });

    const { id } = response.body;
    expect(statusAndBody(response)).toEqual({
      status: 201,
      body: { id: expect.any(Number), name: 'Optics', description },
    });
    expect(response.headers).toMatchObject({ location: `/v1${branches}/${id}`, 'cache-control': 'private, no-cache' });
    expect(statusAndBody(await server.rest('get', `${branches}/${id}`))).toEqual({
      status: 200,
      body: { id, name: 'Optics', description, years: codes(['L1', 'L2', 'L3']) },
    });
  });

  it('accepts a whole number in any JSON notation', async () => {
    for (const number of ['2', '2.0', '2e0', '20e-1', '0.2E1']) {
      const { status, body } = await createBranch(`{"programId":${programId}.0,"name":"Optics","years":${number}}`);
      expect([number, status]).toEqual([number, 201]);
      expect(await years(body.id)).toEqual(codes(['1', '2']));
    }
  });

  it('names a program that does not exist', async () => {
    for (const id of [999_999, 2_147_483_647, 2_147_483_648, 9_007_199_254_740_991]) {
      expect(statusAndBody(await createBranch({ ...validBranch, programId: id }))).toEqual(
        errorBody(404, `Program ${id} does not exist.`),
      );
    }
    expect(statusAndBody(await createBranch(`{"programId":1e20,"name":"Optics","years":1}`))).toEqual(
      errorBody(404, 'Program 100000000000000000000 does not exist.'),
    );
  });
});

const retrieve = (records: 'programs' | 'branches', id: number | string, key?: string) =>
  server.rest('get', `/api/academics/${records}/${id}`, key);

describe('GET /v1/api/academics/programs/{id}', () => {
  it('returns the program and its branches by id, with exactly the documented fields', async () => {
    const { id } = await server.make.program({ code: 'PHY' });
    const other = await server.make.program();
    const second = await server.make.branch(id, { name: 'B', description: 'Light.', codePrefix: 'L' });
    await server.make.branch(other.id);
    const third = await server.make.branch(id, { name: 'A' });

    expect(statusAndBody(await retrieve('programs', id))).toEqual({
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

  it('accepts percent-encoded digits and ignores a query string', async () => {
    const { id } = await server.make.program();
    const encoded = [...String(id)].map((digit) => `%3${digit}`).join('');
    const response = { status: 200, body: { id, name: 'Physics', duration: '4 Years', branches: [] } };
    for (const address of [encoded, `${encoded}?q=%zz`, `${id}?id=7&page=0`]) {
      expect([address, statusAndBody(await retrieve('programs', address))]).toEqual([address, response]);
    }
  });
});

describe('GET /v1/api/academics/branches/{id}', () => {
  it('returns the branch and its years in order, with exactly the documented fields', async () => {
    const { id } = await server.make.branch((await server.make.program()).id, {
      description: 'Light.\n\tAnd more.',
      years: 10,
      codePrefix: 'Y',
      codeIsNumeric: false,
    });

    const { status, body } = await retrieve('branches', id);

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
});

describe.each([
  ['programs', 'Program'],
  ['branches', 'Branch'],
] as const)('GET /v1/api/academics/%s/{id}', (records, kind) => {
  it.each(wrongIds)('rejects the id %s', async (id) => {
    expect(statusAndBody(await retrieve(records, id))).toEqual(invalid(idProblems));
  });

  it.each(unknownIds)('names the record %s, which does not exist', async (id) => {
    expect(statusAndBody(await retrieve(records, id))).toEqual(errorBody(404, `${kind} ${id} does not exist.`));
  });
});

describe('text', () => {
  it('may be as long as allowed in code points, which take up to four bytes', async () => {
    const { body: program } = await create({ name: '𝔘'.repeat(255), duration: '4 Years' });
    expect((await server.rest('get', `${programs}/${program.id}`)).body.name).toBe('𝔘'.repeat(255));
    const { body: branch } = await createBranch({ ...validBranch, description: '👩'.repeat(2_000) });
    expect((await server.rest('get', `${branches}/${branch.id}`)).body.description).toBe('👩'.repeat(2_000));
  });

  it('must have no lone surrogate and no NUL, also when escaped in JSON', async () => {
    const surrogate = 'must be well-formed Unicode: it has half of a surrogate pair.';
    const response = await server
      .rest('post', branches)
      .type('application/json')
      .send(`{"programId":${programId},"years":1,"name":"a\\udc00\\ud800","description":"\\u0000"}`);
    expect(statusAndBody(response)).toEqual(
      invalid({ name: [`name ${surrogate}`], description: ['description must not contain the NUL character.'] }),
    );
  });
});
