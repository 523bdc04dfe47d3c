import { describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const make = factoriesFor(server);

const query = `query ($id: Int!) {
  program(id: $id) {
    id name duration code version createdAt updatedAt
    branches { id name description codePrefix codeIsNumeric program { id } years { code year } }
  }
}`;
const request = async (id: number) => (await server.graphql(query, { id })).body;

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('program', () => {
  it('returns every field of a program, with its branches by id', async () => {
    const { id } = await make.program({ name: 'Physics', duration: '4 Years', code: 'PHY' });
    const optics = await make.branch(id, {
      name: 'Optics',
      years: 2,
      codePrefix: 'L',
      description: 'Light\nand lenses',
    });
    const acoustics = await make.branch(id, { name: 'Acoustics', years: 1, codeIsNumeric: false });

    expect(await request(id)).toEqual({
      data: {
        program: {
          id,
          name: 'Physics',
          duration: '4 Years',
          code: 'PHY',
          version: 1,
          createdAt: instant,
          updatedAt: instant,
          branches: [
            {
              id: optics.id,
              name: 'Optics',
              description: 'Light\nand lenses',
              codePrefix: 'L',
              codeIsNumeric: true,
              program: { id },
              years: [
                { code: 'L1', year: 1 },
                { code: 'L2', year: 2 },
              ],
            },
            {
              id: acoustics.id,
              name: 'Acoustics',
              description: '',
              codePrefix: '',
              codeIsNumeric: false,
              program: { id },
              years: [{ code: 'A', year: 1 }],
            },
          ],
        },
      },
    });
  });

  it('has no code and no branches by default', async () => {
    const { id } = await make.program();
    expect((await request(id)).data.program).toMatchObject({ code: null, branches: [] });
  });

  it.each([0, 42_424_242, 2_147_483_647])('is null with NOT_FOUND for id %i, which does not exist', async (id) => {
    expect(await request(id)).toEqual({
      data: { program: null },
      errors: [
        {
          message: `Program ${id} does not exist.`,
          locations: [{ line: 2, column: 3 }],
          path: ['program'],
          extensions: { code: 'NOT_FOUND' },
        },
      ],
    });
  });

  it.each([-1, -2_147_483_648])('is null with VALIDATION_FAILED for id %i', async (id) => {
    expect(await request(id)).toEqual({
      data: { program: null },
      errors: [
        expect.objectContaining({
          message: 'The request has invalid input.',
          path: ['program'],
          extensions: { code: 'VALIDATION_FAILED', errors: { id: ['id must not be negative.'] } },
        }),
      ],
    });
  });

  it('does not make other fields fail when one program does not exist', async () => {
    const { id } = await make.program({ name: 'Here' });
    const { body } = await server.graphql(
      `{ a: program(id: ${id}) { name } b: program(id: 99999) { name } c: program(id: ${id}) { id } }`,
    );
    expect(body).toEqual({
      data: { a: { name: 'Here' }, b: null, c: { id } },
      errors: [expect.objectContaining({ message: 'Program 99999 does not exist.', path: ['b'] })],
    });
  });
});
