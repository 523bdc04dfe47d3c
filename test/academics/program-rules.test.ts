import { describe, expect, it } from 'vitest';
import { newProgram, programChanges } from '../../src/academics/rules/program.ts';
import { validateInput } from '../../src/validation/validate.ts';

const valid = { name: 'Physics', duration: '4 Years' };
const validationError = (errors: object): unknown =>
  expect.objectContaining({ code: 'VALIDATION_FAILED', message: 'The request has invalid input.', errors });

describe('newProgram', () => {
  it('takes a name, a duration and an optional code', () => {
    expect(validateInput(newProgram, valid)).toEqual({ ...valid, code: null });
    expect(validateInput(newProgram, { ...valid, code: null })).toEqual({ ...valid, code: null });
    expect(validateInput(newProgram, { ...valid, code: ' ' })).toEqual({ ...valid, code: null });
    expect(validateInput(newProgram, { ...valid, code: ' P1 ', id: 7 })).toEqual({ ...valid, code: 'P1' });
  });

  it.each([
    ['name', 255],
    ['duration', 100],
    ['code', 50],
  ])('accepts a %s of at most %i characters, after normalization and trimming', (field, max) => {
    for (const character of ['x', '𝔘', 'e\u0301', '한', '👩']) {
      const longest = character.repeat(max);
      expect(validateInput(newProgram, { ...valid, [field]: ` ${longest}\n` })).toMatchObject({
        [field]: longest.normalize('NFC'),
      });
      expect(() => validateInput(newProgram, { ...valid, [field]: `${longest}${character}` })).toThrow(
        validationError({ [field]: [`${field} must be at most ${max} characters long.`] }),
      );
    }
  });

  it.each(['name', 'duration', 'code'])('accepts only a string on one line as %s', (field) => {
    for (const value of [0, -1.5, true, [], ['Physics'], {}])
      expect(() => validateInput(newProgram, { ...valid, [field]: value })).toThrow(
        validationError({ [field]: [`${field} must be a string.`] }),
      );
    expect(() => validateInput(newProgram, { ...valid, [field]: 'a\tb' })).toThrow(
      validationError({ [field]: [`${field} must be on one line, without control characters.`] }),
    );
  });

  it('reports all problems at once', () => {
    expect(() => validateInput(newProgram, { name: null, duration: '\n', code: '\u0085' })).toThrow(
      validationError({
        name: ['name must be a string.'],
        duration: ['duration must not be blank.'],
        code: ['code must be on one line, without control characters.'],
      }),
    );
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
