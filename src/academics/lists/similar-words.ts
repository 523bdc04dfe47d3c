import { queryJsonWithin } from '@service/postgres/snapshot';
import type { AnyTransaction } from '@service/postgres/sql';
import { Prisma } from '../../generated/prisma/client.ts';
import { allConditions, isRankOfSimilar, type SearchedList } from './ranking.ts';
import { type SearchWords, similarMax, type WithSimilarWords, wordsOf } from './words.ts';

/** Limit of the similar words that are looked up in the records, the most similar first. */
const candidatesMax = 20;
/** A shorter word resembles too many. */
const lengthMin = 4;
/** Limit of words, as each takes milliseconds; a longer search has been pasted. */
const wordsMax = 5;
/** Timeout, after which nothing is similar: a search that finds nothing may not take longer than one that does. */
const timeoutMs = 300;
/** Of `pg_trgm`, whatever the database has: `dolphin` has 0.36 with `dolfin`. */
const settings = ['pg_trgm.similarity_threshold = 0.3'];

/**
 * Finds words of the records that are similar to those of a search without results, by `pg_trgm`.
 * @param isEmpty whether the search is known to find nothing.
 * @returns undefined when it finds something, or when it takes too long.
 */
async function similarWords(
  db: AnyTransaction,
  list: SearchedList,
  isEmpty: boolean,
): Promise<SearchWords | undefined> {
  const { table, words, occurs, deletedNames } = list;
  const similarTo = ([word = '']: readonly string[]): Prisma.Sql =>
    [...word].length < lengthMin
      ? Prisma.sql`'[]'::json`
      : Prisma.sql`(
        SELECT coalesce(json_agg(word), '[]') FROM (
          SELECT word FROM (
            SELECT word, search_pattern(word) AS pattern, similarity(word, search_fold(${word})) AS similarity
            FROM (${near(word, deletedNames)}) AS near
            WHERE word NOT LIKE search_pattern(${word})
            ORDER BY similarity DESC, word COLLATE "C" LIMIT ${candidatesMax}
          ) AS candidate
          WHERE ${occurs(Prisma.sql`candidate.pattern`)}
          ORDER BY similarity DESC, word COLLATE "C" LIMIT ${similarMax}
        ) AS chosen
      )`;
  const { text, values } = Prisma.sql`
    SELECT json_build_array(${Prisma.join(words.map(similarTo))}) AS similar
    WHERE ${isEmpty} OR NOT EXISTS (SELECT FROM ${table} WHERE ${Prisma.join(allConditions(list), ' AND ')})`;
  const [row] = (await queryJsonWithin<{ similar: string[][] }>(db, { timeoutMs, settings }, { text, values })) ?? [];
  return row && words.map((word, index) => [...word, ...(row.similar[index] ?? [])]);
}

/** The words that are similar, of existing records or of these names. */
const near = (word: string, names: Prisma.Sql | undefined): Prisma.Sql =>
  names === undefined
    ? Prisma.sql`SELECT word FROM search_words WHERE word % search_fold(${word}) GROUP BY word HAVING sum(count) > 0`
    : Prisma.sql`SELECT DISTINCT word FROM (${names}) AS named CROSS JOIN search_words_of(name) AS word
        WHERE word % search_fold(${word})`;

export interface Search<Filter, Result> {
  readonly filter: WithSimilarWords<Filter>;
  readonly read: (filter: WithSimilarWords<Filter>) => Promise<Result>;
  readonly isEmpty: (result: Result) => boolean;
  /** The bounds of a part of a list, which may be empty though the search finds something. */
  readonly bounds?: readonly (readonly unknown[] | undefined)[];
}

/** Reads the matches of a filter; when its search finds nothing, its matches with similar words. */
export async function readWithSimilarWords<Filter extends { readonly search?: string | undefined }, Result>(
  db: AnyTransaction,
  listOf: (filter: WithSimilarWords<Filter>) => SearchedList,
  { filter, read, isEmpty, bounds = [] }: Search<Filter, Result>,
): Promise<{ readonly result: Result; readonly filter: WithSimilarWords<Filter> }> {
  const result = await read(filter);
  const { length } = wordsOf(filter);
  if (!isEmpty(result) || filter.words !== undefined || length === 0 || length > wordsMax) return { result, filter };
  // The previous page had similar words, so this one has, even after a match was created.
  const isKnownEmpty = bounds.every((bound) => bound === undefined || isRankOfSimilar(bound));
  const words = await similarWords(db, listOf(filter), isKnownEmpty);
  if (words === undefined) return { result, filter };
  const forgiven = { ...filter, words };
  return { result: words.some(({ length }) => length > 1) ? await read(forgiven) : result, filter: forgiven };
}
