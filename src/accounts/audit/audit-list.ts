import type { Database } from '../../database/types.ts';
import type { AuditEntry } from '../../generated/prisma/client.ts';

/** Entries of a list of the command line. */
export const entriesMax = 10_000;

interface ListOptions {
  readonly changeId: string | undefined;
  readonly first: number;
}

/** Lists entries of the audit log, newest first. */
export const listAuditEntries = (db: Database, { changeId, first }: ListOptions): Promise<AuditEntry[]> =>
  db.auditEntry.findMany({
    where: { ...(changeId !== undefined && { changeId }) },
    orderBy: { id: 'desc' },
    take: first,
  });
