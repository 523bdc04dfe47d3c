// Combining marks in the order of the Unicode Standard, 3.11 (canonical ordering). The engine orders a row of them in quadratic
// time: two thousand take two milliseconds.

const firstMark = '\u0300';
/** The combining mark with the highest combining class: canonical ordering moves any other before it. */
const lastMark = '\u0345';
const isInOrder = (marks: string): boolean => marks.normalize('NFD') === marks;

/** Whether canonical ordering may move a character, or a part of it. */
export const isMark = (character: string): boolean =>
  character >= firstMark && (character === lastMark || !(lastMark + character).normalize('NFD').startsWith(lastMark));

/** More than any language has in a row (Unicode Standard Annex 15, 13: stream-safe text has at most 30). */
const longRow = /\p{M}{31,}/gu;

/** Returns a canonically equivalent text whose long rows of marks are in order, which NFC then leaves as they are. */
export const withMarksInOrder = (text: string): string => text.replace(longRow, inOrder);

function inOrder(row: string): string {
  places ??= placesOfMarks();
  const parts: string[] = [];
  /** The marks since the last one that nothing moves over, by their places. */
  let marks: string[] = [];
  const endPart = (): void => {
    parts.push(...marks.filter((some) => some !== undefined));
    marks = [];
  };
  for (const character of row) {
    const isMoved = places.has(character) || isMark(character);
    if (!isMoved) endPart();
    for (const mark of isMoved && !places.has(character) ? character.normalize('NFD') : [character]) {
      const place = places.get(mark) ?? 0;
      marks[place] = (marks[place] ?? '') + mark;
    }
    if (!isMoved) endPart();
  }
  endPart();
  return parts.join('');
}

/** The places of all marks by combining class, which JavaScript does not tell; made when a text needs it. */
let places: ReadonlyMap<string, number> | undefined;
const lastPlane = 0x1_ffff;

function placesOfMarks(): ReadonlyMap<string, number> {
  const marks: string[] = [];
  for (let code = firstMark.charCodeAt(0); code <= lastPlane; code += 1) {
    const character = String.fromCodePoint(code);
    if (/\p{M}/u.test(character) && isMark(character) && isInOrder(character)) marks.push(character);
  }
  marks.sort((one, other) => (isInOrder(one + other) ? 0 : 1) - (isInOrder(other + one) ? 0 : 1));
  let place = 0;
  return new Map(
    marks.map((mark, index) => {
      if (!isInOrder(mark + (marks[index - 1] ?? mark))) place += 1;
      return [mark, place];
    }),
  );
}
