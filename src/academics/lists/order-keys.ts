import { Prisma } from '../../generated/prisma/client.ts';
import type { Ordering } from '../rules/lists.ts';

/** What records are ordered by, if that is none of their own columns with an index. */
export interface OrderKey {
  /** Never null. */
  readonly sql: Prisma.Sql;
  /** Where it comes from, if not from the record: rows with an id in `keyed` and a `key`. */
  readonly join?: Prisma.Sql;
}

/** Those without a value come last, in both directions. */
const orLast = (key: Prisma.Sql, { isDescending }: Ordering): OrderKey => ({
  sql: Prisma.sql`coalesce(${key}, ${Prisma.raw(isDescending ? `''` : `U&'\\+10FFFF'`)})`,
});

/** Folds letters of ASCII alone, since the key of each record is made when a list is read. */
const folded = (text: Prisma.Sql): Prisma.Sql => Prisma.sql`nullif(lower(${text} COLLATE "C"), '')`;

function recordKey(ordering: Ordering): OrderKey | undefined {
  const { by, attribute } = ordering;
  if (by === 'CODE') return orLast(Prisma.sql`sorted_code`, ordering);
  if (by === 'ATTRIBUTE') return orLast(Prisma.sql`(sorted_attributes ->> ${attribute}) COLLATE "C"`, ordering);
  return undefined;
}

const count = Prisma.sql`coalesce(key, 0)`;

/** @param ownBranches the condition of the branches that count. */
export const programKey =
  (ownBranches: Prisma.Sql) =>
  (ordering: Ordering): OrderKey | undefined => {
    switch (ordering.by) {
      case 'DURATION':
        return { sql: Prisma.sql`sorted_duration` };
      case 'BRANCHES':
        return {
          sql: count,
          join: Prisma.sql`LEFT JOIN (
            SELECT program_id AS keyed, count(*)::int AS key FROM branches WHERE ${ownBranches} GROUP BY program_id
          ) AS counted ON keyed = id`,
        };
      default:
        return recordKey(ordering);
    }
  };

export function branchKey(ordering: Ordering): OrderKey | undefined {
  switch (ordering.by) {
    case 'PROGRAM':
      return {
        sql: Prisma.sql`key`,
        join: Prisma.sql`JOIN (SELECT id AS keyed, sorted_name AS key FROM programs) AS named ON keyed = program_id`,
      };
    case 'YEARS':
      return {
        sql: count,
        join: Prisma.sql`LEFT JOIN (
          SELECT branch_id AS keyed, max(year) AS key FROM branch_years GROUP BY branch_id
        ) AS counted ON keyed = id`,
      };
    case 'YEAR_CODES':
      return orLast(folded(Prisma.sql`code_prefix`), ordering);
    case 'DESCRIPTION':
      return orLast(folded(Prisma.sql`left(description, 100)`), ordering);
    default:
      return recordKey(ordering);
  }
}
