import { describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const make = factoriesFor(server);

const query = `query ($id: Int!) {
  branch(id: $id) {
    id name description codePrefix codeIsNumeric version createdAt updatedAt
    years { id code year }
    program { id name branches { id } }
  }
}`;
const request = async (id: number) => (await server.graphql(query, { id })).body;
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('branch', () => {
  it('returns every field of a branch, its years in order, and its program', async () => {
    const program = await make.program({ name: 'Physics' });
    const { id } = await make.branch(program.id, { name: 'Optics', years: 10, codePrefix: 'L', codeIsNumeric: false });
    const sibling = await make.branch(program.id);

    expect(await request(id)).toEqual({
      data: {
        branch: {
          id,
          name: 'Optics',
          description: '',
          codePrefix: 'L',
          codeIsNumeric: false,
          version: 1,
          createdAt: instant,
          updatedAt: instant,
          years: Array.from('ABCDEFGHIJ', (letter, index) => ({
            id: expect.any(Number),
            code: `L${letter}`,
            year: index + 1,
          })),
          program: { id: program.id, name: 'Physics', branches: [{ id }, { id: sibling.id }] },
        },
      },
    });
  });

  it.each([0, 42_424_242, 2_147_483_647])('is null with NOT_FOUND for id %i, which does not exist', async (id) => {
    expect(await request(id)).toEqual({
      data: { branch: null },
      errors: [
        {
          message: `Branch ${id} does not exist.`,
          locations: [{ line: 2, column: 3 }],
          path: ['branch'],
          extensions: { code: 'NOT_FOUND' },
        },
      ],
    });
  });

  it('is null with VALIDATION_FAILED for a negative id', async () => {
    expect((await request(-1)).errors[0].extensions).toEqual({
      code: 'VALIDATION_FAILED',
      errors: { id: ['id must not be negative.'] },
    });
  });
});
