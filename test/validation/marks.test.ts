import { expectNotBlocked } from '@service/telemetry/testing/event-loop';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withMarksInOrder } from '../../src/validation/marks.ts';
import { multiLine } from '../../src/validation/text.ts';

/** Marks of several combining classes, such as none, and such as are taken apart; letters with marks of their own. */
const marks =
  '\u0301\u0316\u0327\u0334\u0345\u035d\u0361\u0344\u0f71\u0f72\u0f73\u0f75\u0f81\u0903\u093c\u3099\u20dd\u{1d165}';
const row = fc.string({ unit: fc.constantFrom(...marks), minLength: 31, maxLength: 80 });
const anyMark = fc.string({ unit: 'binary', maxLength: 1 }).filter((text) => /\p{M}/u.test(text));

it('a text with long rows of marks has the NFC form that Unicode gives it', () => {
  const rows = fc.tuple(fc.constantFrom('a', 'é', '\u1ea5', ''), row, fc.constantFrom('', 'e', ' '), row);
  fc.assert(
    fc.property(rows, (texts) => {
      const text = texts.join('');
      expect(withMarksInOrder(text).normalize('NFC')).toBe(text.normalize('NFC'));
    }),
  );
  fc.assert(
    fc.property(fc.array(anyMark, { minLength: 40, maxLength: 80 }), (some) => {
      const text = `a${some.join('')}`;
      expect(withMarksInOrder(text).normalize('NFC')).toBe(text.normalize('NFC'));
    }),
    { numRuns: 20 },
  );
});

it('languages with several marks on a letter keep theirs as they are', () => {
  for (const text of ['ti\u0302\u0301ng', 'בְּרֵאשִׁ֖ית', 'ก็่้', 'بِسْمِ ٱللَّهِ', 't͡ʃʰẽ̞ː'])
    expect(withMarksInOrder(text)).toBe(text);
});

it('the longest descriptions of marks alone are checked within milliseconds', async () => {
  const description = multiLine('description', { max: 2_000 });
  const texts = Array.from({ length: 100 }, () => `a${'\u0301'.repeat(1_000)}${'\u0316'.repeat(999)}`);
  await expectNotBlocked(100, async () => {
    for (const text of texts) expect(description.parse(text).startsWith('á\u0316')).toBe(true);
  });
});
