import { z } from 'zod';
import { AuditLogConnection, entriesOf } from '../../accounts/graphql/audit-log.ts';
import type { Transaction } from '../../database/types.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, connectionRequest, positionId, windowOf } from '../../validation/cursors.ts';
import { orDefault } from '../../validation/optional.ts';
import { validateInput } from '../../validation/validate.ts';

const historyRequest = z.intersection(connectionRequest, z.object({ withBranches: orDefault(z.boolean(), false) }));

builder.objectField('Program', 'history', (t) =>
  t.connection(
    {
      type: 'AuditEntry',
      description: 'The audit log of this record, newest entries first. For callers who may edit the record.',
      access: 'programs:write',
      // Written by transactions of the record, but read from another table.
      cacheScope: 'uncacheable',
      args: {
        withBranches: t.arg.boolean({
          defaultValue: false,
          description:
            'Also the entries of its branches: of each from when it came into the program until it left, both included.',
        }),
      },
      resolve: ({ id }, args, { reading: { db } }) => {
        const { withBranches, ...request } = validateInput(historyRequest, args);
        if (withBranches) return entriesWithBranches(db, id, request);
        return entriesOf(db, { subject: 'Program', subjectId: id }, request);
      },
    },
    AuditLogConnection,
  ),
);

/** The entries of a program and of its branches, each kind by an index that ends in the id: a page reads no more than it shows. */
async function entriesWithBranches(db: Transaction, programId: number, request: z.output<typeof connectionRequest>) {
  const window = windowOf(request, positionId);
  const direction = window.backwards ? 'asc' : 'desc';
  const kinds = [
    Prisma.sql`subject = 'Program' AND subject_id = ${programId}`,
    Prisma.sql`subject = 'Branch' AND (coalesce(after, before) ->> 'programId')::int = ${programId}`,
    Prisma.sql`subject = 'Branch' AND before ->> 'programId' <> after ->> 'programId'
      AND (before ->> 'programId')::int = ${programId}`,
  ];
  const page = Prisma.sql`id < ${window.after ?? idEnd} AND id > ${window.before ?? -1}
    ORDER BY id ${Prisma.raw(direction)} LIMIT ${window.limit + 1}`;
  const pages = kinds.map((kind) => Prisma.sql`(SELECT id FROM audit_entries WHERE ${kind} AND ${page})`);
  const found = await db.$queryRaw<
    { readonly id: number }[]
  >`SELECT id FROM (${Prisma.join(pages, ' UNION ALL ')}) AS found
    ORDER BY id ${Prisma.raw(direction)} LIMIT ${window.limit + 1}`;
  const rows = await db.auditEntry.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    orderBy: { id: direction },
  });
  const counts = kinds.map((kind) => Prisma.sql`(SELECT count(*) FROM audit_entries WHERE ${kind})`);
  return {
    ...connectionOf(rows, window, ({ id }) => id),
    totalCount: async () => {
      const [counted] = await db.$queryRaw<
        { readonly count: number }[]
      >`SELECT (${Prisma.join(counts, ' + ')})::int AS count`;
      return counted?.count ?? 0;
    },
  };
}

/** No id is larger. */
const idEnd = 2_147_483_647;
