import { type AnyTransaction, queryJson, queryRows } from '@service/postgres/sql';
import { Prisma } from '../../generated/prisma/client.ts';
import { hasAttributeProblem } from '../lists/attribute-problems.ts';
import { type CountRow, countedIn, totalOf } from './counts.ts';

export interface CatalogCounts {
  readonly programs: number;
  readonly branches: number;
  readonly years: number;
}

export interface Group<Key> {
  readonly key: Key;
  readonly count: number;
}

/** Counts records at a constant cost (`counts.ts`). */
export async function countRecords(db: AnyTransaction): Promise<Pick<CatalogCounts, 'programs' | 'branches'>> {
  const { programs, branches } = await countWith(db, Prisma.sql`NULL::int AS years`);
  return { programs, branches };
}

/** The numbers of programs, branches and years. */
export function countCatalog(db: AnyTransaction): Promise<CatalogCounts> {
  return countWith(
    db,
    Prisma.sql`(SELECT count(*)::int FROM branch_years JOIN branches ON branches.id = branch_id WHERE deleted_at IS NULL)
      AS years`,
  );
}

/** Counts programs, branches and years in one snapshot. */
async function countWith(db: AnyTransaction, years: Prisma.Sql): Promise<CatalogCounts> {
  const programs = totalOf(db, 'Program');
  const branches = totalOf(db, 'Branch');
  const { text, values } = Prisma.sql`SELECT ${programs.count} AS programs, ${branches.count} AS branches,
    ${countedIn} AS "countedIn", ${years}`;
  const [row] = await queryJson<CatalogCounts & Pick<CountRow, 'countedIn'>>(db, { text, values });
  const read = (count: number): CountRow => ({ count, countedIn: row?.countedIn ?? null });
  return {
    programs: programs.remember(read(row?.programs ?? 0)),
    branches: branches.remember(read(row?.branches ?? 0)),
    years: row?.years ?? 0,
  };
}

/** Counts the records that existed so many days ago; one that was deleted and restored since counts. */
export async function countDaysAgo(
  db: AnyTransaction,
  days: number,
): Promise<Pick<CatalogCounts, 'programs' | 'branches'>> {
  const then = Prisma.sql`clock_timestamp() - ${days} * interval '24 hours'`;
  const there = Prisma.sql`created_at < ${then} AND (deleted_at IS NULL OR deleted_at >= ${then})`;
  const [row] = await queryRows<Pick<CatalogCounts, 'programs' | 'branches'>>(
    db,
    Prisma.sql`SELECT
    (SELECT count(*)::int FROM programs WHERE ${there}) AS programs,
    (SELECT count(*)::int FROM branches WHERE ${there}) AS branches`,
  );
  return row ?? { programs: 0, branches: 0 };
}

/** Counts the records with a problem of an attribute, as it is defined. */
export async function countProblems(db: AnyTransaction): Promise<Pick<CatalogCounts, 'programs' | 'branches'>> {
  const [row] = await queryRows<Pick<CatalogCounts, 'programs' | 'branches'>>(
    db,
    Prisma.sql`SELECT
    (SELECT count(*)::int FROM programs WHERE deleted_at IS NULL AND ${hasAttributeProblem('Program')}) AS programs,
    (SELECT count(*)::int FROM branches WHERE deleted_at IS NULL AND ${hasAttributeProblem('Branch')}) AS branches`,
  );
  return row ?? { programs: 0, branches: 0 };
}

/** The most frequent first; as many groups as a chart can show. */
export async function programsByDuration(db: AnyTransaction): Promise<Group<string>[]> {
  return queryRows(
    db,
    Prisma.sql`SELECT duration COLLATE "C" AS key, count(*)::int AS count FROM programs
    WHERE deleted_at IS NULL GROUP BY key ORDER BY count DESC, key LIMIT 100`,
  );
}

/** Programs without branches too, the fewest branches first. */
export async function programsByBranches(db: AnyTransaction): Promise<Group<number>[]> {
  return queryRows(
    db,
    Prisma.sql`SELECT held AS key, count(*)::int AS count FROM (
      SELECT count(branches.id)::int AS held FROM programs
      LEFT JOIN branches ON program_id = programs.id AND branches.deleted_at IS NULL
      WHERE programs.deleted_at IS NULL GROUP BY programs.id
    ) AS counted GROUP BY held ORDER BY held LIMIT 100`,
  );
}

/** How many branches have how many years. */
export async function branchesByYears(db: AnyTransaction): Promise<Group<number>[]> {
  return queryRows(
    db,
    Prisma.sql`SELECT years AS key, count(*)::int AS count FROM (
      SELECT count(*)::int AS years FROM branch_years JOIN branches ON branches.id = branch_id
      WHERE deleted_at IS NULL GROUP BY branch_id
    ) AS counted GROUP BY years ORDER BY years`,
  );
}

/** The changes of a day, which begins at midnight UTC. */
export interface DayChanges {
  readonly day: Date;
  readonly count: number;
}

/** Counts the changes of each day (UTC, by the database's clock), oldest first, in the index of the audit log alone. */
export async function changesPerDay(db: AnyTransaction, days: number): Promise<DayChanges[]> {
  return queryRows(
    db,
    Prisma.sql`SELECT day, (
      SELECT count(*)::int FROM audit_entries
      WHERE at >= day AND at < day + interval '24 hours' AND subject IN ('Program', 'Branch')
    ) AS count
    FROM (SELECT date_trunc('day', clock_timestamp(), 'UTC') AS today) AS clock,
      generate_series(today - ${days - 1} * interval '24 hours', today, interval '24 hours') AS day
    ORDER BY day`,
  );
}
