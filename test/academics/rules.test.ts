import { describe, expect, it } from 'vitest';
import { branchChanges, newBranch } from '../../src/academics/rules/branch.ts';
import { newProgram, programChanges } from '../../src/academics/rules/program.ts';
import { validateInput } from '../../src/validation/validate.ts';

/** With these messages, by field. */
const validationError = (errors: Readonly<Record<string, readonly unknown[]>>): unknown =>
  expect.objectContaining({
    code: 'VALIDATION_FAILED',
    message: 'The request has invalid input.',
    errors: Object.fromEntries(
      Object.entries(errors).map(([field, messages]) => [
        field,
        messages.map((message) => expect.objectContaining({ message })),
      ]),
    ),
  });

const validProgram = { name: 'Physics', duration: '4 Years' };

describe('newProgram', () => {
  it('takes a name, a duration and an optional code', () => {
    expect(validateInput(newProgram, validProgram)).toEqual({ ...validProgram, code: null });
    expect(validateInput(newProgram, { ...validProgram, code: null })).toEqual({ ...validProgram, code: null });
    expect(validateInput(newProgram, { ...validProgram, code: ' ' })).toEqual({ ...validProgram, code: null });
    expect(validateInput(newProgram, { ...validProgram, code: ' P1 ', id: 7 })).toEqual({
      ...validProgram,
      code: 'P1',
    });
  });

  it('rejects input that is not an object', () => {
    for (const value of [null, undefined, 'Physics', 7, []]) {
      expect(() => validateInput(newProgram, value)).toThrow(validationError({ body: [expect.any(String)] }));
    }
  });
});

describe('programChanges', () => {
  it('omits fields that are absent or null, except that a code of null or without characters is cleared', () => {
    expect(validateInput(programChanges, {})).toEqual({});
    expect(validateInput(programChanges, { name: null, code: null })).toEqual({ code: null });
    expect(validateInput(programChanges, { code: ' ' })).toEqual({ code: null });
    expect(validateInput(programChanges, { duration: ' 5 Years ' })).toEqual({ duration: '5 Years' });
  });

  it('validates fields by the same rules as newProgram', () => {
    expect(() => validateInput(programChanges, { name: '', duration: 5, code: 'x'.repeat(51) })).toThrow(
      validationError({
        name: ['name must not be blank.'],
        duration: ['duration must be a string.'],
        code: ['code must be at most 50 characters long.'],
      }),
    );
  });
});

const validBranch = { programId: 1, name: 'Optics', years: 3 };
const defaults = { code: null, codePrefix: '', codeIsNumeric: true, description: '' };

describe('newBranch', () => {
  it('sets defaults for optional fields that are absent or null', () => {
    const none = { code: null, codePrefix: null, codeIsNumeric: null, description: null };
    expect(validateInput(newBranch, validBranch)).toEqual({ ...validBranch, ...defaults });
    expect(validateInput(newBranch, { ...validBranch, ...none })).toEqual({ ...validBranch, ...defaults });
  });

  it('takes a description of at most 2,000 characters in lines, which it does not trim', () => {
    for (const description of ['  Light,\n\tand more. \u001f ', '𝔘'.repeat(2_000)]) {
      expect(validateInput(newBranch, { ...validBranch, description })).toMatchObject({ description });
    }
    expect(() => validateInput(newBranch, { ...validBranch, description: 'x'.repeat(2_001) })).toThrow(
      validationError({ description: ['description must be at most 2000 characters long.'] }),
    );
  });

  it.each([
    ['programId', [1, 2_147_483_647, 2_147_483_648, 1e20], [0, -0, -1, -1e20], 'programId must be 1 or more.'],
    ['years', [1, 10], [0, -0, -1, 11, 1e20], 'years must be from 1 to 10.'],
  ])('accepts %s only within its range', (field, accepted, rejected, message) => {
    for (const value of accepted)
      expect(validateInput(newBranch, { ...validBranch, [field]: value })).toMatchObject({ [field]: value });
    for (const value of rejected) {
      expect(() => validateInput(newBranch, { ...validBranch, [field]: value })).toThrow(
        validationError({ [field]: [message] }),
      );
    }
  });

  it('accepts only integers for an integer, and only true or false for a boolean', () => {
    for (const value of ['1', 1.5, Number.NaN, Number.POSITIVE_INFINITY, true, null, [1], {}]) {
      expect(() => validateInput(newBranch, { ...validBranch, programId: value, years: value })).toThrow(
        validationError({ programId: ['programId must be an integer.'], years: ['years must be an integer.'] }),
      );
    }
    for (const codeIsNumeric of ['true', 0, 1, [], {}]) {
      expect(() => validateInput(newBranch, { ...validBranch, codeIsNumeric })).toThrow(
        validationError({ codeIsNumeric: ['codeIsNumeric must be true or false.'] }),
      );
    }
  });
});

describe.each([
  ['program', newProgram, validProgram, { name: 255, duration: 100, code: 50 }],
  ['branch', newBranch, validBranch, { name: 255, code: 50, codePrefix: 20 }],
] as const)('a text of a new %s', (_kind, schema, valid, longest) => {
  it.each(Object.entries(longest))('is a %s of at most %i characters on one line', (field, max) => {
    const result = (value: unknown) => validateInput(schema, { ...valid, [field]: value });
    expect(result(` ${'𝔘'.repeat(max)}\n`)).toMatchObject({ [field]: '𝔘'.repeat(max) });
    for (const [value, problem] of [
      ['x'.repeat(max + 1), `must be at most ${max} characters long.`],
      ['a\tb', 'must be on one line, without control characters.'],
      [0, 'must be a string.'],
      [['Physics'], 'must be a string.'],
    ] as const) {
      expect(() => result(value)).toThrow(validationError({ [field]: [`${field} ${problem}`] }));
    }
  });
});

describe('branchChanges', () => {
  it('omits fields that are absent or null', () => {
    expect(validateInput(branchChanges, { name: null, description: null })).toEqual({});
    expect(validateInput(branchChanges, { name: ' Waves ', description: ' ' })).toEqual({
      name: 'Waves',
      description: ' ',
    });
  });

  it('validates fields by the same rules as newBranch', () => {
    expect(() => validateInput(branchChanges, { name: ' ', description: '\u0000' })).toThrow(
      validationError({
        name: ['name must not be blank.'],
        description: ['description must not contain the NUL character.'],
      }),
    );
  });
});
