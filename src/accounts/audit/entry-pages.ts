import type { z } from 'zod';
import type { Transaction } from '../../database/types.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Reading } from '../../operations/request.ts';
import { connectionOf, type connectionRequest, positionId, windowOf } from '../../validation/cursors.ts';

/** Order by id, or by time and id. Each has indexes, so a page costs the same in a log of any length. */
type Order = 'id' | 'at';

/** Condition of entries before (`lt`) or after one in the list. A removed entry is known by its id alone. */
async function beyond(
  db: Transaction,
  order: Order,
  side: 'lt' | 'gt',
  id: number | undefined,
): Promise<Prisma.AuditEntryWhereInput> {
  if (id === undefined) return {};
  const beyondId = { id: { [side]: id } };
  const entry = order === 'id' ? null : await db.auditEntry.findUnique({ where: { id }, select: { at: true } });
  if (entry === null) return beyondId;
  return { at: { [`${side}e`]: entry.at }, OR: [{ at: { [side]: entry.at } }, beyondId] };
}

/** A page of the entries that match a condition. */
export async function entriesOf(
  reading: Reading,
  where: Prisma.AuditEntryWhereInput,
  request: z.output<typeof connectionRequest>,
  order: Order = 'id',
) {
  const window = windowOf(request, positionId);
  const direction = window.backwards ? 'asc' : 'desc';
  const rows = await reading.prisma(async (db) =>
    db.auditEntry.findMany({
      where: {
        AND: [where, await beyond(db, order, 'lt', window.after), await beyond(db, order, 'gt', window.before)],
      },
      orderBy: order === 'id' ? { id: direction } : [{ at: direction }, { id: direction }],
      take: window.limit + 1,
    }),
  );
  return {
    ...connectionOf(rows, window, ({ id }) => id),
    totalCount: () => reading.prisma((db) => db.auditEntry.count({ where })),
  };
}
