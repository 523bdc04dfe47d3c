import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { mutationsOf } from './record-mutations.ts';

const server = useServer();

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
  const { update, read, recorded } = mutationsOf(server, kind, fields);
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
