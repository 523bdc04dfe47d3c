import { ServiceError } from '@service/errors';
import { RawConnection } from '@service/postgres/sql';
import { columnsMax } from '@service/tabular/rows';
import type { CellValue } from '@service/tabular/xlsx';
import type { Client } from 'pg';
import { Prisma } from '../../../generated/prisma/client.ts';
import { type KindWord, kindWords } from '../../kinds.ts';
import { orderIn } from '../../lists/order.ts';
import { readWithSimilarWords } from '../../lists/similar-words.ts';
import type { WithSimilarWords } from '../../lists/words.ts';
import { portionsOf } from '../../portions.ts';
import { type Attributes, attributesMax } from '../../rules/attributes.ts';
import type { ProgramFilter } from '../../rules/filters.ts';
import type { ExportedList } from '../../rules/lists.ts';
import { conditionsOf, programList } from '../../sql/program-list.ts';
import {
  attributeOf,
  attributePrefixes,
  attributesColumns,
  branchFileColumns,
  type Column,
  columns,
  occurrenceColumns,
  programFileColumns,
} from '../columns.ts';

/** Fetched at a time: few enough to serialize within milliseconds, however many columns there are. */
const batchCells = 10_000;
const batchRowsMax = 500;

/** The width of the widest row: one value holds all attributes of a record. */
const widthOf = (columns: readonly Column[]): number =>
  columns.reduce(
    (sum, column) => sum + (Object.values<Column>(attributesColumns).includes(column) ? attributesMax : 1),
    0,
  );

/** The branch columns of a program without branches are `null` or empty. */
export type ExportRow = Readonly<Record<Column, CellValue | Attributes>>;

/** Whether attributes are columns of a table, or an object of each record in JSON. */
export type ExportForm = 'table' | 'objects';

/** What is exported: programs of a filter, or these branches and their programs. */
type Exported = Omit<ExportedList, 'filter'> & { readonly filter: WithSimilarWords<ProgramFilter> };

/** Adds similar words when the search finds nothing, as lists do. */
export async function searchedFilter(client: Client, filter: ProgramFilter): Promise<WithSimilarWords<ProgramFilter>> {
  const { filter: searched } = await readWithSimilarWords(new RawConnection({ connection: client }), programList, {
    filter,
    read: async (tried) => {
      const { text, values } =
        Prisma.sql`SELECT FROM programs WHERE ${Prisma.join(conditionsOf(tried), ' AND ')} LIMIT 1`;
      return (await client.query(text, values)).rowCount;
    },
    isEmpty: (count) => count === 0,
  });
  return searched;
}

/**
 * Returns the columns, with those of occurrences if there are equal records. Needs the repeatable-read transaction of
 * `readCatalog`.
 * @throws ServiceError `VALIDATION_FAILED` for a table of more columns than an import takes.
 */
export async function exportedColumns(
  client: Client,
  exported: Exported,
  form: ExportForm,
  defined: readonly Column[],
): Promise<readonly Column[]> {
  const used = form === 'table' ? await attributeColumns(client, exported) : Object.values(attributesColumns);
  const attributes = defined.length === 0 ? used : inOrder(used, defined);
  const { text, values } = Prisma.sql`
    WITH programs AS MATERIALIZED (SELECT id, code, name, duration FROM programs WHERE ${filtered(exported)})
    SELECT EXISTS (
      SELECT 1 FROM programs GROUP BY ${programKey} COLLATE "C" HAVING count(*) > 1
    ) OR EXISTS (
      SELECT 1 FROM branches WHERE deleted_at IS NULL AND program_id IN (SELECT id FROM programs)
      GROUP BY program_id, ${branchKey} COLLATE "C" HAVING count(*) > 1
    ) AS alike`;
  const { rows } = await client.query<{ alike: boolean }>(text, values);
  const all = [...columns, ...attributes, ...(rows[0]?.alike === true ? occurrenceColumns : [])];
  if (all.length > columnsMax) throw new ServiceError('VALIDATION_FAILED', tooManyColumns);
  return all;
}

/** Columns that are in use or defined: those of programs first, then in the order of their keys. */
function inOrder(used: readonly Column[], defined: readonly Column[]): Column[] {
  const all = [...new Set([...used, ...defined])];
  return kindWords.flatMap((kind) => all.filter((column) => column.startsWith(attributePrefixes[kind])).sort());
}

const tooManyColumns = `The file would have more than ${columnsMax} columns, since there are so many keys of attributes. Please export JSON, or fewer programs.`;

/** The number of rows of `readCatalog`, in its transaction. */
export async function countRows(client: Client, exported: Exported): Promise<number> {
  const { text, values } = Prisma.sql`
    SELECT count(*)::integer AS count FROM (SELECT id FROM programs WHERE ${filtered(exported)}) p
    LEFT JOIN branches b ON b.program_id = p.id AND b.deleted_at IS NULL${chosen(exported)}`;
  const { rows } = await client.query<{ count: number }>(text, values);
  return rows[0]?.count ?? 0;
}

/** Returns a column for each key in use, programs first. */
async function attributeColumns(client: Client, exported: Exported): Promise<readonly Column[]> {
  const { text, values } = Prisma.sql`
    WITH programs AS MATERIALIZED (SELECT id, attributes FROM programs WHERE ${filtered(exported)})
    SELECT * FROM (
      SELECT 'program' AS kind, jsonb_object_keys(attributes) AS key FROM programs
      UNION
      SELECT 'branch', jsonb_object_keys(b.attributes) FROM branches b
      WHERE b.deleted_at IS NULL AND b.program_id IN (SELECT id FROM programs)${chosen(exported)}
    ) AS used ORDER BY kind DESC, key COLLATE "C" LIMIT ${columnsMax + 1}`;
  const { rows } = await client.query<{ kind: KindWord; key: string }>(text, values);
  return rows.map(({ kind, key }) => attributePrefixes[kind] + key);
}

export function cellsIn(columns: readonly Column[]): (row: ExportRow) => CellValue[] {
  const readers = columns.map((column) => {
    const attribute = attributeOf(column);
    return (row: ExportRow): CellValue => {
      const value = row[attribute === undefined ? column : attributesColumns[attribute.kind]] ?? null;
      if (typeof value !== 'object') return value;
      if (attribute === undefined) return null;
      const { key } = attribute;
      return (value !== null && Object.hasOwn(value, key) && value[key]) || '';
    };
  });
  return (row) => readers.map((read) => read(row));
}

const filtered = ({ filter, branchIds }: Exported): Prisma.Sql => {
  const ofBranches = Prisma.sql`id IN (SELECT b.program_id FROM branches b WHERE b.deleted_at IS NULL${chosen({ branchIds })})`;
  return Prisma.join([...conditionsOf(filter), ...(branchIds === undefined ? [] : [ofBranches])], ' AND ');
};

const chosen = ({ branchIds }: Pick<Exported, 'branchIds'>): Prisma.Sql =>
  branchIds === undefined ? Prisma.empty : Prisma.sql` AND b.id = ANY(${branchIds})`;

/** The keys of rows (`check-row.ts`). A code has no line break, so the two kinds cannot collide. */
const programKey = Prisma.raw(`(CASE WHEN coalesce(code, '') = '' THEN name || E'\\n' || duration ELSE code END)`);
const branchKey = Prisma.raw(`(CASE WHEN coalesce(code, '') = '' THEN name || E'\\n' ELSE code END)`);

/** The number of years of branch `b`, in SQL. */
export const countedYears = '(SELECT count(*)::integer FROM branch_years y WHERE y.branch_id = b.id)';

/**
 * Reads in batches, programs in their order and their branches by id; in a repeatable-read transaction, the export is a
 * snapshot.
 * @param years the number of years of branch `b`, in SQL.
 */
export async function* readCatalog(
  client: Client,
  columns: readonly Column[],
  exported: Exported,
  years: string,
): AsyncGenerator<readonly ExportRow[]> {
  const expressions = expressionsWith(years);
  const selected = [...new Set([...columns, ...Object.values(attributesColumns)])].filter(
    (name) => name in expressions,
  );
  const { key, from, direction } = orderIn(programList(exported.filter), exported.ordering);
  const { text, values } = Prisma.sql`
    DECLARE catalog NO SCROLL CURSOR FOR
    SELECT ${Prisma.raw(selected.map((column) => `${expressions[column]} AS ${column}`).join(', '))}
    FROM (
      SELECT *, ${key} AS "orderKey"${columns.includes('program_occurrence') ? programOccurrence : Prisma.empty} FROM ${from}
      WHERE ${filtered(exported)}
    ) p
    LEFT JOIN ${columns.includes('branch_occurrence') ? numberedBranches : Prisma.sql`branches`} b
      ON b.program_id = p.id AND b.deleted_at IS NULL${chosen(exported)}
    ORDER BY p."orderKey" ${direction}, p.id ${direction}, b.id`;
  await client.query(text, values);
  const batchRows = Math.max(1, Math.min(batchRowsMax, Math.floor(batchCells / widthOf(columns))));
  for (;;) {
    const { rows } = await client.query<ExportRow>(`FETCH ${batchRows} FROM catalog`);
    if (rows.length === 0) return;
    yield* portionsOf(rows);
  }
}

/** A text that is missing is empty. */
const valuesOf = (table: string, some: typeof programFileColumns): Readonly<Record<Column, string>> =>
  Object.fromEntries(
    some.map(({ name, column, type }) => [
      name,
      type === 'text' ? `coalesce(${table}.${column}, '')` : `${table}.${column}`,
    ]),
  );

const expressionsWith = (years: string): Readonly<Record<Column, string>> => ({
  ...valuesOf('p', programFileColumns),
  ...valuesOf('b', branchFileColumns),
  branch_years: `CASE WHEN b.id IS NOT NULL THEN ${years} END`,
  [attributesColumns.program]: 'p.attributes',
  [attributesColumns.branch]: 'b.attributes',
});

const programOccurrence = Prisma.sql`,
  row_number() OVER (PARTITION BY ${programKey} COLLATE "C" ORDER BY id)::integer AS occurrence`;

const numberedBranches = Prisma.sql`(
  SELECT *, row_number() OVER (PARTITION BY program_id, ${branchKey} COLLATE "C" ORDER BY id)::integer AS occurrence
  FROM branches WHERE deleted_at IS NULL
)`;
