import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeLine, singleLine } from '../../src/validation/text.ts';

const name = singleLine('name', { max: 255 });
const code = codeLine('code', { max: 255 });

/** Of each kind: zero width, directional, soft hyphen, fillers, and those that scripts and emoji use. */
const invisible = [
  ...'\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u202e\u2060\u2063',
  ...'\u2066\u2069\u3164\ufe00\ufe0f\ufeff\uffa0\u{e0001}\u{e0067}\u{e007f}\u{e0100}',
];
const spaces = [...'\u00a0\u2002\u2009\u202f\u205f'];
const letters = [...'aZ9#é', ...'نهی', ...'कषി്', 'क्', '👩', '🏽', '🔬', '🏴', '葛', 'ᄀ', '\u0301'];
const anyText = fc.string({ unit: fc.constantFrom(...invisible, ...spaces, ...letters, ' ') });

describe('a text of one line', () => {
  it.each([
    ['a zero width space', 'Computer\u200b Science\u200b', 'Computer Science'],
    ['a no-break space', '\u00a0Computer\u00a0Science\u202f', 'Computer Science'],
    ['a soft hyphen', 'Engi\u00adneering', 'Engineering'],
    ['directional marks', '\u202aLRM\u202c \u2067x\u2069\u200e', 'LRM x'],
    ['a byte order mark', 'a\ufeffb', 'ab'],
    ['a joiner between letters that have none', 'a\u200db\u200cc', 'abc'],
    ['a second joiner, and one at the end of a word', 'ن\u200c\u200cه ن\u200c', 'ن\u200cه ن'],
    ['a letter of a flag without its flag', 'A\u{e0067}', 'A'],
  ])('loses %s', (_what, text, expected) => {
    expect(name.parse(text)).toBe(expected);
  });

  it.each([
    ['Persian', 'می\u200cخواهم'],
    ['an abbreviation in Arabic', 'ه\u200d'],
    ['Hindi', 'क्\u200cष क्\u200dष'],
    ['Malayalam', 'ന്\u200d'],
    ['Old Korean', 'ᄀᅠᆨ'],
    ['Mongolian', 'ᠠ\u180b'],
    ['a variant of a Han character', '葛\u{e0100}城'],
    ['Japanese with its space', '東京\u3000大学'],
    ['emoji', '👩🏽\u200d🔬 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ])('keeps what %s needs', (_what, text) => {
    expect(name.parse(text)).toBe(text);
  });

  it('is the same with invisible characters between words, and when it is validated again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = name.parse(text);
        expect(name.parse(once)).toBe(once);
        expect(once).not.toMatch(/[\u00a0\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/);
      }),
    );
  });
});

describe('a code', () => {
  it('has no invisible character, and ordinary spaces', () => {
    expect(code.parse('\u202aLRM1\u202c')).toBe('LRM1');
    expect(code.parse('ن\u200cه\u00a01')).toBe('نه 1');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(code.parse(text)).not.toMatch(/\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/u);
      }),
    );
  });
});
