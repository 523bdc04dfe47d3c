import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer();

const queries = {
  program: `query ($id: Int!) {
  program(id: $id) {
    id name duration code version createdAt updatedAt
    branches { id name description codePrefix codeIsNumeric program { id } years { code year } }
  }
}`,
  branch: `query ($id: Int!) {
  branch(id: $id) {
    id name description codePrefix codeIsNumeric version createdAt updatedAt
    years { id code year }
    program { id name branches { id } }
  }
}`,
};
const request = async (field: keyof typeof queries, id: number) => (await server.graphql(queries[field], { id })).body;

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const made = { version: 1, createdAt: instant, updatedAt: instant };

describe('program', () => {
  it('returns every field of a program, with its branches by id', async () => {
    const fields = { name: 'Physics', duration: '4 Years', code: 'PHY' };
    const { id } = await server.make.program(fields);
    const light = { name: 'Optics', codePrefix: 'L', description: 'Light\nand lenses' };
    const optics = await server.make.branch(id, { ...light, years: 2 });
    const sound = { name: 'Acoustics', codeIsNumeric: false };
    const acoustics = await server.make.branch(id, { ...sound, years: 1 });

    const years = (...codes: string[]) => codes.map((code, index) => ({ code, year: index + 1 }));
    expect(await request('program', id)).toEqual({
      data: {
        program: {
          id,
          ...fields,
          ...made,
          branches: [
            { id: optics.id, ...light, codeIsNumeric: true, program: { id }, years: years('L1', 'L2') },
            { id: acoustics.id, ...sound, description: '', codePrefix: '', program: { id }, years: years('A') },
          ],
        },
      },
    });
  });

  it('does not make other fields fail when one program does not exist', async () => {
    const { id } = await server.make.program({ name: 'Here' });
    const { body } = await server.graphql(
      `{ a: program(id: ${id}) { name } b: program(id: 99999) { name } c: program(id: ${id}) { id } }`,
    );
    expect(body).toEqual({
      data: { a: { name: 'Here' }, b: null, c: { id } },
      errors: [expect.objectContaining({ message: 'Program 99999 does not exist.', path: ['b'] })],
    });
  });
});

describe('branch', () => {
  it('returns every field of a branch, its years in order, and its program', async () => {
    const program = await server.make.program({ name: 'Physics' });
    const fields = { name: 'Optics', codePrefix: 'L', codeIsNumeric: false };
    const { id } = await server.make.branch(program.id, { ...fields, years: 10 });
    const sibling = await server.make.branch(program.id);

    const years = Array.from('ABCDEFGHIJ', (letter, index) => ({
      id: expect.any(Number),
      code: `L${letter}`,
      year: index + 1,
    }));
    const shown = { id: program.id, name: 'Physics', branches: [{ id }, { id: sibling.id }] };
    expect(await request('branch', id)).toEqual({
      data: { branch: { id, ...fields, description: '', ...made, years, program: shown } },
    });
  });
});

describe.each([
  ['program', 'Program'],
  ['branch', 'Branch'],
] as const)('%s', (field, kind) => {
  const rejection = (message: string, extensions: object) => ({
    data: { [field]: null },
    errors: [{ message, locations: [{ line: 2, column: 3 }], path: [field], extensions }],
  });

  it.each([0, 42_424_242, 2_147_483_647])('is null with NOT_FOUND for id %i, which does not exist', async (id) => {
    expect(await request(field, id)).toEqual(rejection(`${kind} ${id} does not exist.`, { code: 'NOT_FOUND' }));
  });

  it.each([-1, -2_147_483_648])('is null with VALIDATION_FAILED for id %i', async (id) => {
    const extensions = { code: 'VALIDATION_FAILED', errors: { id: ['id must not be negative.'] } };
    expect(await request(field, id)).toEqual(rejection('The request has invalid input.', extensions));
  });
});
