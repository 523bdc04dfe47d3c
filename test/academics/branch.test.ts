import { describe, expect, it } from 'vitest';
import { branchChanges, newBranch } from '../../src/academics/branch.ts';
import { validateInput } from '../../src/academics/validate.ts';

const sound = { programId: 1, name: 'Optics', years: 3 };
const defaults = { codePrefix: '', codeIsNumeric: true, description: '' };
const refusal = (errors: object): unknown =>
  expect.objectContaining({ code: 'VALIDATION_FAILED', message: 'The request has invalid input.', errors });

describe('a new branch', () => {
  it('has defaults for what is optional, absent or null', () => {
    const none = { codePrefix: null, codeIsNumeric: null, description: null };
    expect(validateInput(newBranch, sound)).toEqual({ ...sound, ...defaults });
    expect(validateInput(newBranch, { ...sound, ...none })).toEqual({ ...sound, ...defaults });
  });

  it('keeps its description as it was sent', () => {
    const description = '  Light,\r\n\tand more. \u2028 ';
    expect(validateInput(newBranch, { ...sound, description })).toMatchObject({ description });
  });

  it('has a code prefix on one line, trimmed', () => {
    expect(validateInput(newBranch, { ...sound, codePrefix: ' L ' })).toMatchObject({ codePrefix: 'L' });
    expect(() => validateInput(newBranch, { ...sound, codePrefix: 'L\n1' })).toThrow(
      refusal({ codePrefix: ['codePrefix must be on one line, without control characters.'] }),
    );
  });

  it.each([
    ['name', 255],
    ['codePrefix', 20],
    ['description', 2_000],
  ])('has a %s of at most %i characters', (field, most) => {
    expect(validateInput(newBranch, { ...sound, [field]: '𝔘'.repeat(most) })).toMatchObject({
      [field]: '𝔘'.repeat(most),
    });
    expect(() => validateInput(newBranch, { ...sound, [field]: 'x'.repeat(most + 1) })).toThrow(
      refusal({ [field]: [`${field} must be at most ${most} characters long.`] }),
    );
  });

  it.each([
    ['programId', [1, 2_147_483_647, 2_147_483_648, 1e20], [0, -0, -1, -1e20], 'programId must be 1 or more.'],
    ['years', [1, 10], [0, -0, -1, 11, 1e20], 'years must be from 1 to 10.'],
  ])('has a %s in its range', (field, good, bad, message) => {
    for (const value of good)
      expect(validateInput(newBranch, { ...sound, [field]: value })).toMatchObject({ [field]: value });
    for (const value of bad) {
      expect(() => validateInput(newBranch, { ...sound, [field]: value })).toThrow(refusal({ [field]: [message] }));
    }
  });

  it('takes integers for integers, and true or false for a boolean', () => {
    for (const value of ['1', 1.5, Number.NaN, Number.POSITIVE_INFINITY, true, null, [1], {}]) {
      expect(() => validateInput(newBranch, { ...sound, programId: value, years: value })).toThrow(
        refusal({ programId: ['programId must be an integer.'], years: ['years must be an integer.'] }),
      );
    }
    for (const codeIsNumeric of ['true', 0, 1, [], {}]) {
      expect(() => validateInput(newBranch, { ...sound, codeIsNumeric })).toThrow(
        refusal({ codeIsNumeric: ['codeIsNumeric must be true or false.'] }),
      );
    }
  });
});

describe('the changes of a branch', () => {
  it('leave what is absent or null', () => {
    expect(validateInput(branchChanges, { name: null, description: null })).toEqual({});
    expect(validateInput(branchChanges, { name: ' Waves ', description: ' ' })).toEqual({
      name: 'Waves',
      description: ' ',
    });
  });

  it('are held to the same rules', () => {
    expect(() => validateInput(branchChanges, { name: ' ', description: '\u0000' })).toThrow(
      refusal({
        name: ['name must not be blank.'],
        description: ['description must not contain the NUL character.'],
      }),
    );
  });
});
