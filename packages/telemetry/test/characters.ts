import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether there is time for many runs of what is tried at random: in `npm run test:system`. */
    thorough: boolean;
  }
}

/** A character of every class that patterns, parsers and Unicode tell apart. */
const characters: readonly string[] = [
  ...'aAzÉeéßİΣ0109_-.,;:/\\"\'`([{<>}])=+@#%&*?!$^|~ ',
  ...'\t\n\r\0\u0001\u007f\u0085\u00a0\u00ad\u2028\u3000\u2014',
  // Marks, and what joins letters.
  ...'\u0301\u0316\u0345\u200b\u200c\u200d\ufe0f\u180b\u0640\u094d\ufff9\ufffb\ufeff\u{e0061}\u{e007f}\u{e0100}',
  // Letters of scripts with joiners, of syllables, of symbols; characters that grow when they are normalized.
  ...'ن\u0915\u1820葛가\u1100\u115f\u1160\u11a8\ufdfa\u{1f3f4}\u{1f600}\u{1f3fd}\u{1f1e9}\u{1d518}\uff1d\u{10ffff}',
  '\ud800',
  '\udc00',
];

const parts = inject('thorough') ? 5 : 40;
const part = Math.floor(Math.random() * parts);
/** A part of them, others in each run: all of them at each place take minutes. */
export const someCharacters = characters.filter((_, index) => index % parts === part);

/** Its code, for the name of a test or a message. */
export const codeOf = (character: string): string => `U+${character.codePointAt(0)?.toString(16).padStart(4, '0')}`;
