import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { problemIn } from '../../src/validation/problems.ts';
import { multiLine, singleLine } from '../../src/validation/text.ts';

const name = singleLine('name', { min: 1, max: 5 });
const note = multiLine('note', { max: 5 });
/** Text that normalization and trimming change, also where the two interact. */
const trickyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('e', '\u0301', '\u0327', ' ', '\u00a0', '\ufeff', '\u2000', '\u1112', '\u1161', '\u0958', '\u212b'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

const accepted = (schema: typeof name, value: unknown): unknown => schema.safeParse(value).data;
const problems = (schema: typeof name, value: unknown): string[] | undefined =>
  schema.safeParse(value).error?.issues.map(({ message }) => problemIn(message).message);

const tooLong = 'must be at most 5 characters long.';
const controlled = 'must be on one line, without control characters.';
const surrogate = 'must be well-formed Unicode: it has half of a surrogate pair.';
const nul = 'must not contain the NUL character.';

describe('singleLine', () => {
  it.each([
    ['a', 'a'],
    ['abcde', 'abcde'],
    ['  a b  ', 'a b'],
    ['\t\r\na\n', 'a'],
    ['\u00a0\u3000\ufeff\u2028a\u2029', 'a'],
    ['𝔘𝔘𝔘𝔘𝔘', '𝔘𝔘𝔘𝔘𝔘'],
    ['e\u0301e\u0301e\u0301e\u0301e\u0301', 'ééééé'],
    ['\u1112\u1161\u11ab', '한'],
    ['\u212b', 'Å'],
    ['👩\u200d🔬', '👩\u200d🔬'],
    ['\u0301a', '\u0301a'],
    ['ﬁ²', 'ﬁ²'],
    ['\ufffd\uffff', '\ufffd\uffff'],
    ['<b>&', '<b>&'],
  ])('normalizes %j to %j', (input, expected) => {
    expect(accepted(name, input)).toBe(expected);
  });

  it.each([
    ['', ['must not be blank.']],
    ['\u200b\u00ad', ['must not be blank.']],
    [' \t\n\u00a0\u2029', ['must not be blank.']],
    ['abcdef', [tooLong]],
    ['𝔘𝔘𝔘𝔘𝔘𝔘', [tooLong]],
    ['\u0958\u0958\u0958', [tooLong]],
    ['a\nb', [controlled]],
    ['a\r\nb', [controlled]],
    ['a\tb', [controlled]],
    ['\u0001', [controlled]],
    ['\u001b[m', [controlled]],
    ['\u007f', [controlled]],
    ['\u0080', [controlled]],
    ['\u0085', [controlled]],
    ['\u009f', [controlled]],
    ['a\u2028b', [controlled]],
    ['a\u2029b', [controlled]],
    ['\u0000', [nul, controlled]],
    ['\ud800', [surrogate]],
    ['\udc00\ud800', [surrogate]],
    ['a\u0000\udbff bcd', [surrogate, nul, tooLong, controlled]],
  ])('rejects %j', (input, expected) => {
    expect(problems(name, input)).toEqual(expected.map((problem) => `name ${problem}`));
  });

  it('rejects values that are not strings, and reports a missing value as required', () => {
    for (const value of [null, 1, true, [], {}, Symbol('a'), 1n]) {
      expect(problems(name, value)).toEqual(['name must be a string.']);
    }
    expect(problems(name, undefined)).toEqual(['name is required.']);
  });

  it('accepts an empty string unless there is a minimum length', () => {
    expect(accepted(singleLine('code', { max: 5 }), ' ')).toBe('');
  });

  it('is idempotent: validating its output again changes nothing', () => {
    const long = singleLine('name', { max: 255 });
    fc.assert(
      fc.property(trickyText, (text) => {
        const once = accepted(long, text);
        fc.pre(once !== undefined);
        expect(accepted(long, once)).toBe(once);
      }),
    );
  });
});

describe('multiLine', () => {
  it.each([
    ['', ''],
    ['  a  ', '  a  '],
    ['\n\t', '\n\t'],
    ['a\r\n\rb', 'a\n\nb'],
    ['\va\fb', '\na\nb'],
    ['a\u0085b\u2028\u2029', 'a\nb\n\n'],
    ['\u0007', '\u0007'],
    ['e\u0301', 'é'],
    ['𝔘𝔘𝔘𝔘𝔘', '𝔘𝔘𝔘𝔘𝔘'],
    ['\ufeffa', '\ufeffa'],
  ])('normalizes %j to %j', (input, expected) => {
    expect(accepted(note, input)).toBe(expected);
  });

  it.each([
    ['abcdef', [tooLong]],
    ['a    b', [tooLong]],
    ['\u0000', [nul]],
    ['\ud800', [surrogate]],
    ['\u0000\ud800\n\n\n\n', [surrogate, nul, tooLong]],
  ])('rejects %j', (input, expected) => {
    expect(problems(note, input)).toEqual(expected.map((problem) => `note ${problem}`));
  });

  it('is idempotent: validating its output again changes nothing', () => {
    const long = multiLine('note', { max: 255 });
    fc.assert(
      fc.property(trickyText, (text) => {
        const once = accepted(long, text);
        fc.pre(once !== undefined);
        expect(accepted(long, once)).toBe(once);
      }),
    );
  });
});

describe('a text that is normalized or found to be too long', () => {
  const max = 20;
  const field = multiLine('field', { max });
  /** Characters that are joined, split or reordered: each a base, a mark, or both. */
  const unit = fc.oneof(
    fc.constantFrom('\u1f82', '\u03b1\u0313\u0300\u0345', '\u0345', '\u0301', '\u0316', '\u0334', '\u0344', '\u0f73'),
    fc.constantFrom(
      '\u1112',
      '\u1161',
      '\u11ab',
      '\u0dd9',
      '\u0dcf',
      '\u0dca',
      '\u0958',
      '\u{1d15f}',
      '\u{1d165}',
      'e',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );

  it('measures the length of the normalized text', () => {
    const normalized = (value: string) => value.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').normalize('NFC');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 6 * max }), fc.nat(5), (text, times) => {
        const value = (text + '\u03b1\u0313\u0300\u0345'.repeat(4 * times)).toWellFormed().replaceAll('\0', '');
        const fits = [...normalized(value)].length <= max;
        expect(accepted(field, value)).toBe(fits ? normalized(value) : undefined);
        if (!fits) expect(problems(field, value)).toEqual(['field must be at most 20 characters long.']);
      }),
      { numRuns: inject('thorough') ? 3_000 : 1_000 },
    );
  });

  it('accepts input that is four times the maximum before normalization', () => {
    expect(accepted(field, '\u03b1\u0313\u0300\u0345'.repeat(max))).toBe('\u1f82'.repeat(max));
    expect(problems(field, '\u03b1\u0313\u0300\u0345'.repeat(max + 1))).toHaveLength(1);
  });

  it('accepts 50,000 spaces on either side', () => {
    const spaces = ' '.repeat(50_000);
    expect(accepted(singleLine('field', { max }), `${spaces}e\u0301${spaces}`)).toBe('é');
  });
});
