import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../connection/types.ts';

/*
 * The numbers of all programs and branches, exact in the snapshot of the statement that contains them, at a cost that
 * does not grow with them (the migration `catalog_counts` says how). Rows are counted only until an instance has.
 */
export const programTotal = Prisma.raw(`coalesce((SELECT programs FROM catalog_totals),
  (SELECT count(*)::int FROM programs WHERE deleted_at IS NULL))`);
export const branchTotal = Prisma.raw(`coalesce((SELECT branches FROM catalog_totals),
  (SELECT count(*)::int FROM branches WHERE deleted_at IS NULL))`);

/** Adds what has been logged to the stored counts, so that reading them adds up few entries. */
export async function foldCounts(db: Database): Promise<void> {
  await db.$executeRaw`SELECT fold_catalog_counts()`;
}

/** Counts the rows, whatever is stored. */
export const recountStatement = 'SELECT recount_catalog()';
