// Codes that are probably none: what a spreadsheet has left of a number, or a word for no value. Several records would be
// taken for one with such a code.
import type { Problem } from '@service/errors/problems';
import { withoutInvisible } from '../../../validation/invisible.ts';
import { problem } from '../../../validation/problems.ts';
import { type KindWord, kindWords } from '../../kinds.ts';
import { codeMax } from '../../rules/records.ts';
import { type CatalogRow, type Column, codeColumns, columns, type RowProblem } from '../columns.ts';
import { isBlank, textOf } from './cell.ts';
import { quoted } from './compare-rows.ts';

/** Numbers of many digits as spreadsheets show them: `1.00E+14`. The sign is always there, which codes hardly have. */
const shortenedNumber = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{1,3}$/i;

/** What databases, spreadsheets and programming languages write where there is no value, in lower case. */
const wordsForNoValue = new Set(
  String.raw`null nil none nan -nan n/a n.a undefined \n \\n #n/a #na #n/d #nv -1.#ind 1.#ind -1.#qnan 1.#qnan`.split(
    ' ',
  ),
);
/** What it is only within brackets: there are codes of these letters. */
const wordInBrackets = /^(?:<na>|\(blank\))$/;
/** Errors of spreadsheets, in any language: `#REF!`, `#VALEUR !`, `#NAME?`. */
const errorValue = /^#\p{L}[\p{L}/0]{0,20} ?[!?]$/u;
const dashes = /^[\p{Dash_Punctuation}\u2212]+$/u;
/** What may stand around a word. */
const around = /^[\s"'([<]{1,2}|[\s"')\]>.]{1,2}$/g;

/** Whether it stands for no value, in the form of Unicode that has no widths. */
function isNoValue(code: string): boolean {
  const plain = code.normalize('NFKC').trim().toLowerCase();
  return (
    wordsForNoValue.has(plain.replace(around, '')) ||
    wordInBrackets.test(plain) ||
    errorValue.test(plain) ||
    dashes.test(plain)
  );
}

/** Problems by the codes that have them. */
interface DoubtfulCodes {
  readonly problems: readonly RowProblem[];
  /** A code that is right if the record of the row's id has it: an export has it from there. */
  readonly unlessKnown: Readonly<Record<KindWord, Problem | null>>;
}

/** Whether a row is of an export as the service writes it; a spreadsheet that saves one has shortened its numbers. */
export const isExported = ({ cells }: CatalogRow): boolean =>
  columns.every((column) => Object.hasOwn(cells, column)) &&
  ['true', 'false', null].includes(textOf(cells['branch_code_is_numeric']));

/** Finds the codes of a row that are probably none. */
export function doubtfulCodes({ line, cells }: CatalogRow, isJson: boolean): DoubtfulCodes {
  const problems: RowProblem[] = [];
  const unlessKnown: Record<KindWord, Problem | null> = { program: null, branch: null };
  for (const column of codeColumns) {
    const doubt = doubtOf(cells[column], column, isJson);
    if (doubt === undefined) continue;
    const kind = kindWords.find((some) => column === `${some}_code` && !isBlank(cells[`${some}_id`]));
    if (kind === undefined) problems.push({ line, column, ...doubt, value: textOf(cells[column]) });
    else unlessKnown[kind] = doubt;
  }
  return { problems, unlessKnown };
}

function doubtOf(cell: unknown, column: Column, isJson: boolean): Problem | undefined {
  // Longer ones are errors themselves.
  if (typeof cell !== 'string' || cell.length > 2 * codeMax) return undefined;
  const code = withoutInvisible(cell).trim();
  if (isNoValue(code)) {
    return problem('NOT_A_CODE', { field: column, value: quoted(code) });
  }
  // Nothing shortens the numbers of JSON.
  return !isJson && shortenedNumber.test(code) ? problem('SHORTENED_NUMBER', { field: column }) : undefined;
}
