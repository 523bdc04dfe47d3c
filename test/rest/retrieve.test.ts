import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { errorBody, invalid, statusAndBody } from './expectations.ts';
import { idProblems, unknownIds, wrongIds } from './path-ids.ts';

const server = useServer();

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

  it('returns all branches of a program that has many', async () => {
    const { id } = await server.make.program();
    for (let count = 0; count < 30; count += 1) await server.make.branch(id, { years: 1 });
    expect((await retrieve('programs', id)).body.branches).toHaveLength(30);
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

  it('accepts any active user: no permission is needed', async () => {
    const { id } = await server.make.branch((await server.make.program()).id);
    for (const role of ['guest', 'viewer', 'editor', 'admin'] as const) {
      const key = await server.makeKey({ role, user: `reading ${role}`, readOnly: true });
      expect((await retrieve('branches', id, key)).status).toBe(200);
    }
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
