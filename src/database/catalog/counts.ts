import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../connection/types.ts';

// Exact in the snapshot of the statement that contains them, at a constant cost (the migration `catalog_counts`). Rows
// are counted only until an instance has stored the totals.
export const programTotal = Prisma.raw(`coalesce((SELECT programs FROM catalog_totals),
  (SELECT count(*)::int FROM programs WHERE deleted_at IS NULL))`);
export const branchTotal = Prisma.raw(`coalesce((SELECT branches FROM catalog_totals),
  (SELECT count(*)::int FROM branches WHERE deleted_at IS NULL))`);

/** Adds what has been logged to the stored counts, so that reading them adds up few entries. */
export async function foldCounts(db: Database): Promise<void> {
  await db.$executeRaw`SELECT fold_catalog_counts()`;
}

export const recountStatement = 'SELECT recount_catalog()';
