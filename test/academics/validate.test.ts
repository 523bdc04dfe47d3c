import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { identifier, notFound } from '../../src/academics/identifier.ts';
import { validateInput } from '../../src/academics/validate.ts';
import { expectedVersion, requireVersion } from '../../src/academics/version.ts';

const refusal = (errors: object): unknown => expect.objectContaining({ code: 'VALIDATION_FAILED', errors });

describe('the check of input', () => {
  it('reports a field inside a list under the name of the list, the same words once', () => {
    const schema = z.object({ ids: z.array(z.int('ids must be integers.')) });
    expect(() => validateInput(schema, { ids: ['a', 1, 'b'] })).toThrow(refusal({ ids: ['ids must be integers.'] }));
  });
});

describe('an identifier', () => {
  it.each([0, 1, 2_147_483_647])('may be %i', (id) => {
    expect(validateInput(identifier, { id })).toEqual({ id });
  });

  it('is an integer that is not negative', () => {
    expect(() => validateInput(identifier, { id: -1 })).toThrow(refusal({ id: ['id must not be negative.'] }));
    for (const id of [1.5, '1', null, undefined, Number.NaN]) {
      expect(() => validateInput(identifier, { id })).toThrow(refusal({ id: ['id must be an integer.'] }));
    }
  });

  it('that nothing has is named', () => {
    expect(notFound('Program', 42)).toMatchObject({ code: 'NOT_FOUND', message: 'Program 42 does not exist.' });
    expect(notFound('Branch', '42')).toMatchObject({ code: 'NOT_FOUND', message: 'Branch 42 does not exist.' });
  });
});

describe('the version that a change expects', () => {
  const record = { id: 7, version: 3, updatedAt: new Date('2026-11-21T08:00:00Z') };

  it('is the one of the record, or none at all', () => {
    for (const given of [3, null, undefined]) {
      expect(() => requireVersion('Program', record, expectedVersion.parse(given), {})).not.toThrow();
    }
  });

  it('is in conflict when someone else was faster', () => {
    expect(() => requireVersion('Branch', record, 2, { name: 'Physics' })).toThrow(
      expect.objectContaining({
        code: 'CONFLICT',
        message: 'Branch 7 has been changed: its version is 3, not 2.',
        current: { id: 7, name: 'Physics', version: 3, updatedAt: '2026-11-21T08:00:00.000Z' },
      }),
    );
  });
});
