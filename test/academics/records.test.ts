import { describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { mutationsOf } from './record-mutations.ts';

const server = useSharedServer();

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
const fresh = { version: 1, createdAt: instant, updatedAt: instant };

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
          ...fresh,
          branches: [
            { id: optics.id, ...light, codeIsNumeric: true, program: { id }, years: years('L1', 'L2') },
            { id: acoustics.id, ...sound, description: '', codePrefix: '', program: { id }, years: years('A') },
          ],
        },
      },
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
      data: { branch: { id, ...fields, description: '', ...fresh, years, program: shown } },
    });
  });
});

describe.each([
  ['program', 'Program'],
  ['branch', 'Branch'],
] as const)('%s', (field, kind) => {
  const rejection = (message: string, extensions: object) => ({
    data: { [field]: null },
    errors: [
      { message, locations: [{ line: 2, column: 3 }], path: [field], extensions: expect.objectContaining(extensions) },
    ],
  });

  it.each([0, 42_424_242, 2_147_483_647])('is null with NOT_FOUND for id %i, which does not exist', async (id) => {
    expect(await request(field, id)).toEqual(rejection(`${kind} ${id} does not exist.`, { code: 'NOT_FOUND' }));
  });

  it.each([-1, -2_147_483_648])('is null with VALIDATION_FAILED for id %i', async (id) => {
    const extensions = { code: 'VALIDATION_FAILED', errors: { id: ['id must not be negative.'] } };
    expect(await request(field, id)).toEqual(rejection('The request has invalid input.', extensions));
  });
});

interface Kind {
  readonly kind: 'Program' | 'Branch';
  readonly path: string;
  readonly fields: string;
  readonly made: (given: object) => Promise<{ readonly id: number }>;
  readonly given: Readonly<Record<string, string>>;
  readonly unchanged: [what: string, input: object][];
}

const kinds: readonly Kind[] = [
  {
    kind: 'Program',
    path: 'programs',
    fields: 'id name duration code version createdAt updatedAt branches { id }',
    made: (given: object) => server.make.program(given),
    given: { name: 'Ästhetik', duration: '4 Years', code: 'PHY' },
    unchanged: [
      ['no field', {}],
      ['null for every field but the code', { name: null, duration: null, expectedVersion: null }],
      ['only the version', { expectedVersion: 1 }],
      ['the current values', { name: 'Ästhetik', duration: '4 Years', code: 'PHY', expectedVersion: 1 }],
      ['the current values before normalization', { name: '  A\u0308sthetik\n', code: ' PHY ' }],
    ],
  },
  {
    kind: 'Branch',
    path: 'branches',
    fields:
      'id name description codePrefix codeIsNumeric version createdAt updatedAt years { id code year } program { id }',
    made: async (given: object) => server.make.branch((await server.make.program()).id, given),
    given: { name: 'Ästhetik', description: ' Light\n', codePrefix: 'L' },
    unchanged: [
      ['no field', {}],
      ['null', { name: null, description: null, years: null, codePrefix: null, codeIsNumeric: null, programId: null }],
      ['only the version', { expectedVersion: 1 }],
      [
        'the current values',
        {
          name: 'Ästhetik',
          description: ' Light\n',
          years: 3,
          codePrefix: 'L',
          codeIsNumeric: true,
          expectedVersion: 1,
        },
      ],
      ['the current values before normalization', { name: ' A\u0308sthetik ', codePrefix: ' L ' }],
    ],
  },
];

describe.each(kinds)('an update of a $kind', ({ kind, path, fields, made, given, unchanged }) => {
  const { update, remove, read, recorded, notFound } = mutationsOf(server, kind, fields);
  const field = `update${kind}`;

  it('changes only the given fields and increments the version', async () => {
    const { id } = await made(given);
    const before = await read(id);

    const { data } = await update(id, { name: ' Photonics ' });

    expect(data[field]).toEqual({ ...before, name: 'Photonics', version: 2, updatedAt: expect.any(String) });
    expect(Date.parse(data[field].updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
    expect(await read(id)).toEqual(data[field]);
    expect((await server.rest('get', `/api/academics/${path}/${id}`)).body.name).toBe('Photonics');
    expect(await recorded(id)).toEqual(['create', 'update']);
  });

  it.each(unchanged)('changes nothing when sent %s', async (_what, input) => {
    const { id } = await made(given);
    const before = await read(id);

    // Beside warnings of equal names.
    expect((await update(id, input)).data).toEqual({ [field]: before });
    expect(await read(id)).toEqual(before);
    expect(await recorded(id)).toEqual(['create']);
  });

  it('fails once it is deleted, as does another deletion', async () => {
    const { id } = await made(given);
    await remove(id);
    expect(await update(id, { name: 'Back' })).toEqual(notFound(id));
    expect(await remove(id)).toEqual(notFound(id));
  });

  it('is a CONFLICT on another version even if the values are the same', async () => {
    const { id } = await made(given);
    const { errors } = await update(id, { name: given['name'], expectedVersion: 2 });
    expect(errors).toEqual([expect.objectContaining({ extensions: expect.objectContaining({ code: 'CONFLICT' }) })]);
  });

  it('succeeds for exactly one of ten that expect the same version at once', async () => {
    const { id } = await made(given);
    const attempts = Array.from({ length: 10 }, (_, index) => update(id, { name: `By ${index}`, expectedVersion: 1 }));
    const responses = await Promise.all(attempts);
    expect(responses.filter((response) => response.errors === undefined)).toHaveLength(1);
    expect(await read(id)).toMatchObject({ version: 2 });
  });
});
