import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { expectedVersion, requireVersion } from '../../src/academics/rules/version.ts';
import { identifier, notFound, validateInput } from '../../src/validation/validate.ts';

/** With these messages, by field. */
const validationError = (errors: Readonly<Record<string, readonly unknown[]>>): unknown =>
  expect.objectContaining({
    code: 'VALIDATION_FAILED',
    errors: Object.fromEntries(
      Object.entries(errors).map(([field, messages]) => [
        field,
        messages.map((message) => expect.objectContaining({ message })),
      ]),
    ),
  });

describe('validateInput', () => {
  it('reports problems of list items under the name of the list, without repeating a message', () => {
    const schema = z.object({ ids: z.array(z.int('ids must be integers.')) });
    expect(() => validateInput(schema, { ids: ['a', 1, 'b'] })).toThrow(
      validationError({ ids: ['ids must be integers.'] }),
    );
  });
});

describe('identifier', () => {
  it.each([0, 1, 2_147_483_647])('accepts %i', (id) => {
    expect(validateInput(identifier, { id })).toEqual({ id });
  });

  it('rejects values that are not integers, and negative ones', () => {
    expect(() => validateInput(identifier, { id: -1 })).toThrow(validationError({ id: ['id must not be negative.'] }));
    for (const id of [1.5, '1', null, undefined, Number.NaN]) {
      expect(() => validateInput(identifier, { id })).toThrow(validationError({ id: ['id must be an integer.'] }));
    }
  });

  it('is named in the error when no record has it', () => {
    expect(notFound('Program', 42)).toMatchObject({ code: 'NOT_FOUND', message: 'Program 42 does not exist.' });
    expect(notFound('Branch', '42')).toMatchObject({ code: 'NOT_FOUND', message: 'Branch 42 does not exist.' });
  });
});

describe('requireVersion', () => {
  const record = { id: 7, version: 3, updatedAt: new Date('2026-11-21T08:00:00Z') };

  it('accepts the current version, or no version', () => {
    for (const version of [3, null, undefined]) {
      expect(() => requireVersion('Program', record, expectedVersion.parse(version), {})).not.toThrow();
    }
  });

  it('throws CONFLICT with the current record when the version is outdated', () => {
    expect(() => requireVersion('Branch', record, 2, { name: 'Physics' })).toThrow(
      expect.objectContaining({
        code: 'CONFLICT',
        message: 'Branch 7 has been changed: its version is 3, not 2.',
        current: { id: 7, name: 'Physics', version: 3, updatedAt: '2026-11-21T08:00:00.000Z' },
      }),
    );
  });
});
