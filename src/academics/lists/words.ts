import { Prisma } from '../../generated/prisma/client.ts';
import { searchedWords } from '../rules/lists.ts';

/** The words of a search, which must all match: each with those that count for it as well, best first. */
export type SearchWords = readonly (readonly string[])[];

/** A filter; when its search finds nothing, with the words that are similar to its own. */
export type WithSimilarWords<Filter> = Filter & { readonly words?: SearchWords | undefined };

/** The words of a search, or the similar ones that take their place. */
export const wordsOf = ({ search, words }: WithSimilarWords<{ readonly search?: string | undefined }>): SearchWords =>
  words ?? searchedWords(search).map((word) => [word]);

/** A word, or SQL of its pattern. */
export type Word = string | Prisma.Sql;

const virama = '\u094d';

/** A text has its nasals in Devanagari as they are written, and as points. */
export function patternsOf(word: Word): Prisma.Sql[] {
  if (typeof word !== 'string') return [word];
  const pattern = Prisma.sql`search_pattern(${word})`;
  return word.includes(virama) ? [pattern, Prisma.sql`fold_nasals(search_pattern(${word}))`] : [pattern];
}

/** A condition: the text has one of the words. */
export function hasOneOf(text: Prisma.Sql, words: readonly Word[]): Prisma.Sql {
  const patterns = words.flatMap(patternsOf);
  return patterns.length === 1
    ? Prisma.sql`${text} LIKE ${patterns[0]}`
    : Prisma.sql`${text} LIKE ANY (ARRAY[${Prisma.join(patterns)}])`;
}

/** How many words count for one that is not found. */
export const similarMax = 4;
