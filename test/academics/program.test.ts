import { describe, expect, it } from 'vitest';
import { newProgram, programChanges } from '../../src/academics/program.ts';
import { validateInput } from '../../src/academics/validate.ts';

const sound = { name: 'Physics', duration: '4 Years' };
const refusal = (errors: object): unknown =>
  expect.objectContaining({ code: 'VALIDATION_FAILED', message: 'The request has invalid input.', errors });

describe('a new program', () => {
  it('has a name, a duration and perhaps a code', () => {
    expect(validateInput(newProgram, sound)).toEqual({ ...sound, code: undefined });
    expect(validateInput(newProgram, { ...sound, code: null })).toEqual({ ...sound, code: undefined });
    expect(validateInput(newProgram, { ...sound, code: '' })).toEqual({ ...sound, code: '' });
    expect(validateInput(newProgram, { ...sound, code: ' P1 ', id: 7 })).toEqual({ ...sound, code: 'P1' });
  });

  it.each([
    ['name', 255],
    ['duration', 100],
    ['code', 50],
  ])('has a %s of at most %i characters, after normalization and trimming', (field, most) => {
    for (const character of ['x', '𝔘', 'e\u0301', '한', '👩']) {
      const longest = character.repeat(most);
      expect(validateInput(newProgram, { ...sound, [field]: ` ${longest}\n` })).toMatchObject({
        [field]: longest.normalize('NFC'),
      });
      expect(() => validateInput(newProgram, { ...sound, [field]: `${longest}${character}` })).toThrow(
        refusal({ [field]: [`${field} must be at most ${most} characters long.`] }),
      );
    }
  });

  it('reports all problems at once', () => {
    expect(() => validateInput(newProgram, { name: null, duration: '\n', code: '\u0085' })).toThrow(
      refusal({
        name: ['name must be a string.'],
        duration: ['duration must not be blank.'],
        code: ['code must be on one line, without control characters.'],
      }),
    );
  });

  it('is a record of fields', () => {
    for (const value of [null, undefined, 'Physics', 7, []]) {
      expect(() => validateInput(newProgram, value)).toThrow(refusal({ body: [expect.any(String)] }));
    }
  });
});

describe('the changes of a program', () => {
  it('leave what is absent or null', () => {
    expect(validateInput(programChanges, {})).toEqual({});
    expect(validateInput(programChanges, { name: null, code: null })).toEqual({});
    expect(validateInput(programChanges, { duration: ' 5 Years ' })).toEqual({ duration: '5 Years' });
  });

  it('are held to the same rules', () => {
    expect(() => validateInput(programChanges, { name: '', duration: 5, code: 'x'.repeat(51) })).toThrow(
      refusal({
        name: ['name must not be blank.'],
        duration: ['duration must be a string.'],
        code: ['code must be at most 50 characters long.'],
      }),
    );
  });
});
