/** How the numbers of cells are shown: the sections of a format, for positive and negative numbers and zero, and for texts. */
export interface NumberFormat {
  readonly numbers: readonly Section[];
  /** `undefined` where texts are shown as they are. */
  readonly texts: Section | undefined;
}

export type Section =
  | { readonly kind: 'general' }
  /** Dates, times of day, and spans of time, which have more than 24 hours. */
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  | { readonly kind: 'span'; readonly parts: readonly string[] }
  | { readonly kind: 'digits'; readonly parts: readonly Part[]; readonly scale: number; readonly isGrouped: boolean }
  /** Fractions, exponents, conditions and what else depends on more than the number. */
  | { readonly kind: 'unknown' };

/** A part of a format: a text, a place for a digit (`0`, `#`, `?`), the decimal point, or the value itself. */
export type Part =
  | { readonly text: string }
  | { readonly digit: string }
  | { readonly isPoint: true }
  | { readonly isValue: true };

const general: Section = { kind: 'general' };
const unknown: Section = { kind: 'unknown' };

/** The format of cells that have no other. */
export const generalFormat: NumberFormat = { numbers: [general], texts: undefined };

/**
 * Ids of the formats of dates and times that every workbook has, those of East Asia included. Source: ECMA-376, part 1,
 * 18.8.30.
 */
const builtIn: ReadonlyMap<number, string> = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  ...[18, 19, 20, 21, 45, 47].map((id) => [id, 'h:mm:ss'] as const),
  [46, '[h]:mm:ss'],
  [37, '#,##0;-#,##0'],
  [38, '#,##0;-#,##0'],
  [39, '#,##0.00;-#,##0.00'],
  [40, '#,##0.00;-#,##0.00'],
  [48, '##0.0E+0'],
]);
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** Excel writes no longer formats. */
const lengthMax = 255;
const sectionsMax = 4;

/** The format of an id; with its code, when the workbook defines it. Source: ECMA-376, part 1, 18.8.31. */
export function numberFormatOf(id: number, defined: string | undefined): NumberFormat {
  const code = defined || builtIn.get(id) || (isBuiltInDate(id) ? 'yyyy-mm-dd' : 'General');
  const sections = code.length > lengthMax ? [] : sectionsIn(code);
  if (sections.length === 0 || sections.length > sectionsMax) return { numbers: [unknown], texts: undefined };
  const isText = (section: readonly Token[]): boolean => section.some(({ kind }) => kind === 'text');
  const last = sections.at(-1) ?? [];
  const hasTexts = sections.length === sectionsMax || (sections.length > 1 && isText(last));
  const texts = hasTexts || isText(last) ? sectionOf(last) : undefined;
  const numbers = hasTexts ? sections.slice(0, -1) : sections;
  return { numbers: numbers.map(sectionOf), texts: texts?.kind === 'digits' ? texts : undefined };
}

interface Token {
  readonly kind:
    | 'literal'
    | 'bracket'
    | 'digit'
    | 'point'
    | 'comma'
    | 'percent'
    | 'text'
    | 'general'
    | 'letter'
    | 'slash';
  readonly text: string;
}

const tokenPattern =
  /"([^"]*)"?|\\(.)|_(.)|\*(.)|\[([^[\]]*)\]|(general)|(AM\/PM|A\/P|E[+-]|[a-z])|([0#?])|(\.)|(,)|(%)|(@)|(;)|(\/)|(.)/gisu;

function sectionsIn(code: string): readonly (readonly Token[])[] {
  const sections: Token[][] = [[]];
  const kinds = ['general', 'letter', 'digit', 'point', 'comma', 'percent', 'text'] as const;
  for (const [whole, quoted, escaped, space, fill, bracket, ...others] of code.matchAll(tokenPattern)) {
    const add = (kind: Token['kind'], text: string): void => void sections.at(-1)?.push({ kind, text });
    const at = others.findIndex((text) => text !== undefined);
    const kind = kinds[at];
    if (quoted !== undefined || escaped !== undefined) add('literal', quoted ?? escaped ?? '');
    else if (space !== undefined) add('literal', ' ');
    // A fill character takes the width of the cell.
    else if (fill !== undefined) continue;
    else if (bracket !== undefined) add('bracket', bracket);
    else if (kind !== undefined) add(kind, whole);
    else if (whole === ';') sections.push([]);
    else add(whole === '/' ? 'slash' : 'literal', whole);
  }
  return sections;
}

function sectionOf(tokens: readonly Token[]): Section {
  const brackets = tokens.flatMap(({ kind, text }) => (kind === 'bracket' ? text : []));
  const letters = tokens.flatMap(({ kind, text }) => (kind === 'letter' ? text.toLowerCase() : [])).join('');
  if (brackets.some((text) => /^(h+|m+|s+)$/i.test(text))) return { kind: 'span', parts: spanParts(tokens) };
  // Conditions, and digits of other scripts.
  if (brackets.some((text) => /^[<>=]|^DBNum|^\$[^-]*-[0-9a-f]{5,}$/i.test(text))) return unknown;
  if (/e[+-]/.test(letters)) return unknown;
  if (/[dy]|mmm|[egb]/.test(letters.replace('am/pm', ''))) return { kind: 'date' };
  if (/[hs]/.test(letters)) return { kind: 'time' };
  if (letters.includes('m')) return { kind: 'date' };
  if (letters !== '' || hasFraction(tokens)) return unknown;
  return digitsOf(tokens);
}

/** A slash between places for digits, rather than one that is shown. */
const hasFraction = (tokens: readonly Token[]): boolean =>
  tokens.some(({ kind }, at) => kind === 'slash' && tokens.slice(0, at).some((token) => token.kind === 'digit'));

/** Letters of one unit are one part. */
function spanParts(tokens: readonly Token[]): string[] {
  const parts: string[] = [];
  for (const { kind, text } of tokens) {
    const part = text.toLowerCase();
    const last = parts.at(-1) ?? '';
    if (kind === 'bracket') parts.push(`[${part.charAt(0)}${'0'.repeat(part.length)}]`);
    else if (kind === 'letter' && last.charAt(0) === part) parts[parts.length - 1] = last + part;
    else parts.push(kind === 'letter' ? part : text);
  }
  return parts;
}

function digitsOf(tokens: readonly Token[]): Section {
  const places = tokens.flatMap(({ kind }, at) => (kind === 'digit' ? at : []));
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const lastWhole = places.findLast((at) => point === -1 || at < point) ?? -1;
  const isGrouped = tokens.some(
    ({ kind }, at) => kind === 'comma' && at < lastWhole && places.some((place) => place < at),
  );
  const thousands = tokens.filter(({ kind }, at) => kind === 'comma' && at > lastWhole && lastWhole !== -1).length;
  const percents = tokens.filter(({ kind }) => kind === 'percent').length;
  const parts = tokens.flatMap(({ kind, text }): Part[] => {
    if (kind === 'digit') return [{ digit: text }];
    if (kind === 'point') return [{ isPoint: true }];
    if (kind === 'general' || kind === 'text') return [{ isValue: true }];
    if (kind === 'bracket') return [{ text: /^\$([^-]*)/.exec(text)?.[1] ?? '' }];
    return kind === 'comma' ? [] : [{ text }];
  });
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && 'isValue' in first) return general;
  const isInterrupted = isGrouped && tokens.slice(places[0], lastWhole).some(({ kind }) => kind === 'literal');
  return isInterrupted ? unknown : { kind: 'digits', parts, scale: 2 * percents - 3 * thousands, isGrouped };
}
