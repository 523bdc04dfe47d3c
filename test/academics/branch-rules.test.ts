import { describe, expect, it } from 'vitest';
import { branchChanges, newBranch } from '../../src/academics/rules/branch.ts';
import { validateInput } from '../../src/validation/validate.ts';

const valid = { programId: 1, name: 'Optics', years: 3 };
const defaults = { codePrefix: '', codeIsNumeric: true, description: '' };
const validationError = (errors: object): unknown =>
  expect.objectContaining({ code: 'VALIDATION_FAILED', message: 'The request has invalid input.', errors });

describe('newBranch', () => {
  it('sets defaults for optional fields that are absent or null', () => {
    const none = { codePrefix: null, codeIsNumeric: null, description: null };
    expect(validateInput(newBranch, valid)).toEqual({ ...valid, ...defaults });
    expect(validateInput(newBranch, { ...valid, ...none })).toEqual({ ...valid, ...defaults });
  });

  it('does not trim the description', () => {
    const description = '  Light,\r\n\tand more. \u2028 ';
    expect(validateInput(newBranch, { ...valid, description })).toMatchObject({ description });
  });

  it.each(['name', 'codePrefix'])('trims the %s and rejects one with a line break', (field) => {
    expect(validateInput(newBranch, { ...valid, [field]: ' L ' })).toMatchObject({ [field]: 'L' });
    expect(() => validateInput(newBranch, { ...valid, [field]: 'L\n1' })).toThrow(
      validationError({ [field]: [`${field} must be on one line, without control characters.`] }),
    );
  });

  it.each([
    ['name', 255],
    ['codePrefix', 20],
    ['description', 2_000],
  ])('accepts a %s of at most %i characters', (field, max) => {
    expect(validateInput(newBranch, { ...valid, [field]: '𝔘'.repeat(max) })).toMatchObject({
      [field]: '𝔘'.repeat(max),
    });
    expect(() => validateInput(newBranch, { ...valid, [field]: 'x'.repeat(max + 1) })).toThrow(
      validationError({ [field]: [`${field} must be at most ${max} characters long.`] }),
    );
  });

  it.each([
    ['programId', [1, 2_147_483_647, 2_147_483_648, 1e20], [0, -0, -1, -1e20], 'programId must be 1 or more.'],
    ['years', [1, 10], [0, -0, -1, 11, 1e20], 'years must be from 1 to 10.'],
  ])('accepts %s only within its range', (field, accepted, rejected, message) => {
    for (const value of accepted)
      expect(validateInput(newBranch, { ...valid, [field]: value })).toMatchObject({ [field]: value });
    for (const value of rejected) {
      expect(() => validateInput(newBranch, { ...valid, [field]: value })).toThrow(
        validationError({ [field]: [message] }),
      );
    }
  });

  it('accepts only integers for an integer, and only true or false for a boolean', () => {
    for (const value of ['1', 1.5, Number.NaN, Number.POSITIVE_INFINITY, true, null, [1], {}]) {
      expect(() => validateInput(newBranch, { ...valid, programId: value, years: value })).toThrow(
        validationError({ programId: ['programId must be an integer.'], years: ['years must be an integer.'] }),
      );
    }
    for (const codeIsNumeric of ['true', 0, 1, [], {}]) {
      expect(() => validateInput(newBranch, { ...valid, codeIsNumeric })).toThrow(
        validationError({ codeIsNumeric: ['codeIsNumeric must be true or false.'] }),
      );
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
