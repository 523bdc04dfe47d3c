// Invisible characters, which spreadsheets, web pages and word processors leave in copied texts, so that two texts that
// look the same differ (`docs/contract.md` 5). Characters that change how a word or an emoji looks are not among them.

/** Spaces of any width that look like the usual one; not the ideographic one, which is the space of its script. */
const otherSpace = /[\u00a0\u2000-\u200a\u202f\u205f]/g;

/** With the marks of interlinear annotations. */
const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** The letters of the flags of regions, after a flag; of each run the first match has all. */
const flagLetters = /(\u{1f3f4}[\u{e0020}-\u{e007e}]*\u{e007f}?)|[\u{e0020}-\u{e007f}]/gu;

/** Joiners, variation selectors, fillers of Hangul: those that some texts need, as they do the letters of flags. */
const sometimesNeeded = String.raw`\u200c\u200d\p{Variation_Selector}\u115f\u1160`;
const neverNeeded = new RegExp(
  String.raw`[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[${sometimesNeeded}\u{e0020}-\u{e007f}]]`,
  'gv',
);

const scripts =
  'Arabic Syriac Mandaic Nko Mongolian Phags_Pa Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada ' +
  'Malayalam Sinhala Tibetan Myanmar Khmer Balinese Javanese';
const cursive = scripts.split(' ').map((script) => `\\p{Script_Extensions=${script}}`);
/** Letters and marks of the scripts that have joiners. */
const joined = String.raw`[[[\p{L}\p{M}]--\p{Default_Ignorable_Code_Point}]&&[${cursive.join('')}]]`;

const mongolian = String.raw`[\p{Script=Mongolian}--\p{Default_Ignorable_Code_Point}]`;

// The form of a letter at the end of a word, as in abbreviations; a joint that is left open only within a word.
const joiners = String.raw`(?<=${joined})\u200d|(?<=${joined})\u200c(?=${joined})`;
// Emoji of several, and their coloured forms.
const emoji = String.raw`(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})|(?<=[0-9#*])\ufe0f(?=\u20e3)`;
const variants = String.raw`(?<=[\p{Extended_Pictographic}\p{S}\p{Script=Han}\p{Script=Myanmar}]|${mongolian})\p{Variation_Selector}`;
const hangul = String.raw`\u115f(?=[\u1160-\u11a7])|(?<=[\u1100-\u115f])\u1160`;
const needless = new RegExp(`(?!${joiners}|${emoji}|${variants}|${hangul})[${sometimesNeeded}]`, 'gv');

/** Has none of these characters: most texts, which need no search for each kind of them. */
const plain = /^[ -~]*$/;

/** Removes invisible characters, except those that the script needs; every space becomes an ordinary one. */
export const withoutNeedless = (text: string): string =>
  plain.test(text)
    ? text
    : text
        .replace(otherSpace, ' ')
        .replace(neverNeeded, '')
        .replace(flagLetters, '$1')
        .replace(/([\u200c\u200d])[\u200c\u200d]+/g, '$1')
        .replace(needless, '');

/** Removes all invisible characters; every space becomes an ordinary one. */
export const withoutInvisible = (text: string): string => text.replace(otherSpace, ' ').replace(invisible, '');
