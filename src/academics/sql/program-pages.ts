import { inSnapshot } from '@service/postgres/snapshot';
import {
  type AnyTransaction,
  afterMeasured,
  beforeMeasured,
  executorOf,
  type JsonRow,
  queryJson,
} from '@service/postgres/sql';
import { Prisma } from '../../generated/prisma/client.ts';
import { allRows, type ListRows, readRows } from '../lists/few-matches.ts';
import { rowsIn } from '../lists/order.ts';
import { allConditions, type SearchedList } from '../lists/ranking.ts';
import { readWithSimilarWords } from '../lists/similar-words.ts';
import type { WithSimilarWords } from '../lists/words.ts';
import type { ProgramFilter } from '../rules/filters.ts';
import type { Ordering } from '../rules/lists.ts';
import { type CountRow, countedIn, type Total, totalOf } from './counts.ts';
import { readMeasured } from './json/measured.ts';
import { fits } from './json/pieces.ts';
import { type BoundedLists, type ListsJson, type ListsText, nameOf } from './json/records.ts';
import { isOfAllPrograms, type ListedProgram, listedBy, nameIfWhole, programList } from './program-list.ts';

export interface ProgramPageRequest {
  readonly filter: ProgramFilter;
  readonly orderBy: Ordering;
  readonly offset: number;
  readonly size: number;
}

export interface ProgramPage {
  readonly programs: readonly ListedProgram[];
  readonly count: number;
  /** The filter, with the similar words that were searched for. */
  readonly filter: WithSimilarWords<ProgramFilter>;
}

/** A page whose filter has the similar words that are searched for, if any. */
type Request = Omit<ProgramPageRequest, 'filter'> & { readonly filter: WithSimilarWords<ProgramFilter> };

/** Offsets up to this use the shared connection. */
const passedOverMax = 1_000;

/** Reads pages in one snapshot, so that each agrees with its count and with the others. */
export async function programPages(db: AnyTransaction, pages: readonly ProgramPageRequest[]): Promise<ProgramPage[]> {
  const [first, ...others] = pages;
  if (first === undefined) return [];
  if (others.length === 0) {
    const { result, filter } = await readWithSimilarWords(db, programList, {
      filter: first.filter,
      read: (searched) => pageAndCount(db, { ...first, filter: searched }),
      isEmpty: ({ count }) => count === 0,
    });
    return [{ ...result, filter }];
  }
  const total = totalOf(db, 'Program');
  return inSnapshot(db, async (tx) => {
    const counts = new Map<string, Counted>();
    const read: ProgramPage[] = [];
    for (const page of pages) {
      const list = JSON.stringify(page.filter);
      const counted = counts.get(list) ?? (await countPrograms(tx, page.filter, total));
      counts.set(list, counted);
      const { result: count, filter } = counted;
      read.push({ programs: await programPage(tx, { ...page, filter }, count), count, filter });
    }
    return read;
  });
}

/** Columns over the rows of a page, and which of them are read. */
interface PagePlan<Row> extends Omit<ListsJson, 'isTooLarge' | 'length'> {
  readonly isTooLarge: (row: Row) => boolean;
}

interface WholeRecords {
  /** `null` when they are too large. */
  readonly programs: JsonRow<ListedProgram>[] | null;
  readonly bytes: number;
}

const unlimited = 2_147_483_647;
const isSmall = fits(Prisma.raw('bytes'));

/** As `queryJson` reads rows: their JSON has none beyond what fits. */
const wholeRecords: PagePlan<WholeRecords> = {
  name: 'whole',
  shown: Prisma.sql`programs, coalesce(bytes, 0)::int AS bytes`,
  columns: Prisma.sql`max(bytes) AS bytes,
    CASE WHEN bool_and(${isSmall}) IS NOT FALSE THEN coalesce(json_agg(json) FILTER (WHERE ${isSmall}), '[]') END AS programs`,
  readsOthers: false,
  rows: (rows) => Prisma.sql`${Prisma.raw(beforeMeasured)}${rows}${Prisma.raw(afterMeasured)}`,
  isMeasured: true,
  isTooLarge: ({ programs }) => programs === null,
};

async function pageAndCount(db: AnyTransaction, request: Request) {
  const { rows: limit } = executorOf(db);
  const bytesMax = limit?.left() ?? unlimited;
  const { programs, bytes, count } = await readPage(db, request, wholeRecords, bytesMax);
  if (programs === null) throw limit?.onTooMany() ?? new Error('A page is too large.');
  limit?.took(bytes);
  return { programs: programs.map(listedBy(request.filter)), count };
}

/** Reads a page with the items of lists of its programs as JSON, and its count. */
export async function readPageJson(db: AnyTransaction, { lists, bytesMax }: BoundedLists, page: ProgramPageRequest) {
  return readWithSimilarWords(db, programList, {
    filter: page.filter,
    read: (searched) => readPage<ListsText>(db, { ...page, filter: searched }, lists, bytesMax),
    isEmpty: ({ count }) => count === 0,
  });
}

/**
 * A page and its count, in one statement. The far half of all programs is read from its end, so that the last page costs
 * no more than the first; and once more from the beginning when there were more or fewer programs than before.
 */
async function readPage<Row extends object>(
  db: AnyTransaction,
  request: Request,
  plan: PagePlan<Row>,
  bytesMax: number,
): Promise<Row & CountRow> {
  const { filter, orderBy: ordering, offset, size } = request;
  const list = programList(filter);
  const total = isOfAllPrograms(list) ? totalOf(db, 'Program') : undefined;
  const end = total?.last === undefined ? undefined : nearerEnd(request, total.last);
  if (end?.backwards) {
    const rows = allRows(list, ordering, window(end.size, true), end.passedOver);
    const page = await readFrom<Row>(db, request, { plan, bytesMax, list, total, rows, ...end });
    if (page.count === total?.last) return page;
  }
  return readRows({
    list,
    ordering,
    window: window(size, false),
    offset,
    read: (rows) => readFrom<Row>(db, request, { plan, bytesMax, list, total, rows, passedOver: offset }),
    fewIn: ({ count }) => count,
  });
}

/** The size of a page of so many programs, and how many are passed over from the nearer end of the list. */
function nearerEnd(request: Request, count: number) {
  const { offset } = request;
  const size = Math.max(0, Math.min(request.size, count - offset));
  const backwards = offset > count / 2;
  return { size, backwards, passedOver: backwards ? Math.max(0, count - offset - size) : offset };
}

interface Start<Row> {
  readonly plan: PagePlan<Row>;
  readonly bytesMax: number;
  readonly list: SearchedList;
  readonly total: Total | undefined;
  readonly rows: ListRows;
  readonly passedOver: number;
  readonly backwards?: boolean;
}

async function readFrom<Row extends object>(
  db: AnyTransaction,
  { filter, orderBy, size }: Request,
  { plan, bytesMax, list, total, rows: { rows, ctes, few, ...found }, passedOver, backwards = false }: Start<Row>,
): Promise<Row & CountRow> {
  const records = backwards ? Prisma.sql`SELECT * FROM (${rows}) AS record ORDER BY row_number() OVER () DESC` : rows;
  const count = few ?? countOf(programList(filter, true));
  const { text, values } = Prisma.sql`${ctes}
    SELECT ${total === undefined ? withCount(count) : knownCount(total)}, shown, ${plan.shown} FROM (
      SELECT count(*) AS shown, ${plan.columns} FROM (${plan.rows(records)}) AS record
    ) AS page`;
  // An index has the ids of existing programs alone. By any other order, deleted ones are passed over. Given ids and codes
  // are at most 1,000, and found by index.
  const isQuick = (total?.last !== undefined || list.isLookup) && passedOver <= passedOverMax;
  const isIndexed = isQuick && orderBy.by === 'ID';
  // Statements that may scan whole tables are not prepared: a plan from when these were small would scan for each record.
  const isPrepared = !plan.readsOthers;
  const order = `${orderBy.by}${orderBy.isDescending ? ', descending' : ''}`;
  const ofWhole = `page by ${order}${backwards ? ' from its end' : ''}, ${plan.name}`;
  const name = isIndexed || isPrepared ? nameIfWhole(list, ofWhole) : undefined;
  const read = {
    text,
    name: found.isPrepared ? nameOf(text) : name,
    isPrepared: found.isPrepared || isPrepared,
    isIndexed,
    isMeasured: plan.isMeasured,
    recordsMax: size,
    isTooLarge: plan.isTooLarge,
  };
  const row = await readMeasured<CountRow & Row>(db, read, values, bytesMax);
  if (row === undefined) throw new Error('An aggregate has one row.');
  return total === undefined ? row : { ...row, count: total.remember(row) };
}

const window = (limit: number, backwards: boolean) => ({ limit, backwards, after: undefined, before: undefined });

/** The far half of a list is read from its end, so that the last page costs no more than the first. */
export async function programPage(db: AnyTransaction, request: Request, count: number): Promise<ListedProgram[]> {
  const { filter, orderBy } = request;
  const { size, passedOver, backwards } = nearerEnd(request, count);
  if (size === 0) return [];
  const { text, values } = rowsIn(programList(filter), orderBy, window(size, backwards), passedOver);
  const rows = (await queryJson<ListedProgram>(db, { text, values })).map(listedBy(filter));
  return backwards ? rows.reverse() : rows;
}

interface Counted {
  readonly result: number;
  readonly filter: WithSimilarWords<ProgramFilter>;
}

const countPrograms = (db: AnyTransaction, filter: ProgramFilter, total?: Total): Promise<Counted> =>
  readWithSimilarWords(db, programList, {
    filter,
    read: (searched) => countMatching(db, searched, total),
    isEmpty: (count) => count === 0,
  });

async function countMatching(
  db: AnyTransaction,
  filter: WithSimilarWords<ProgramFilter>,
  totalOfAll = totalOf(db, 'Program'),
): Promise<number> {
  const list = programList(filter, true);
  const total = isOfAllPrograms(list) ? totalOfAll : undefined;
  const { text, values } = Prisma.sql`SELECT ${total === undefined ? withCount(countOf(list)) : knownCount(total)}`;
  const name = nameIfWhole(list, 'count of all programs');
  const [row] = await queryJson<CountRow>(db, { text, values, name });
  return total?.remember(row) ?? row?.count ?? 0;
}

/** Counts a list of which all is read. */
const countOf = (list: SearchedList): Prisma.Sql =>
  Prisma.sql`(SELECT count(*)::int FROM programs WHERE ${Prisma.join(allConditions(list), ' AND ')})`;

/** The columns of a `CountRow`. */
const withCount = (count: Prisma.Sql): Prisma.Sql => Prisma.sql`${count} AS count, NULL AS "countedIn"`;

/** The same columns for all programs. */
const knownCount = ({ count }: Total): Prisma.Sql => Prisma.sql`${count} AS count, ${countedIn} AS "countedIn"`;

/** Counts the programs of each filter, in one snapshot. */
export async function countsOfPrograms(db: AnyTransaction, filters: readonly ProgramFilter[]): Promise<number[]> {
  const [filter, ...others] = filters;
  if (filter !== undefined && others.length === 0) return [(await countPrograms(db, filter)).result];
  const total = totalOf(db, 'Program');
  return inSnapshot(db, async (tx) => {
    const counts: number[] = [];
    for (const each of filters) counts.push((await countPrograms(tx, each, total)).result);
    return counts;
  });
}
