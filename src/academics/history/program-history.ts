import { queryRows } from '@service/postgres/sql';
import { z } from 'zod';
import { entriesOf } from '../../accounts/audit/entry-pages.ts';
import { AuditLogConnection } from '../../accounts/graphql/audit-log.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import type { Reading } from '../../operations/request.ts';
import { connectionOf, connectionRequest, positionId, windowOf } from '../../validation/cursors.ts';
import { orDefault } from '../../validation/optional.ts';
import { validateInput } from '../../validation/validate.ts';
import { RecordChangeType } from '../graphql/record-change.ts';
import { recordKinds } from '../kinds.ts';
import { recordChangeOf, snapshotIn } from '../record-change.ts';
import { entriesOfProgram } from './entries-of-program.ts';

const historyRequest = z.intersection(connectionRequest, z.object({ withBranches: orDefault(z.boolean(), false) }));

builder.objectFields('AuditEntry', (t) => ({
  undoneBy: t.id({
    nullable: true,
    description:
      'The change by which this one of the record is undone; `null` if it is not, or if that was undone in its turn.',
    resolve: ({ changeId, subject, subjectId }, _args, { reading: { loaders } }) =>
      loaders.undoneBy.load({ changeId, subject, subjectId }),
  }),
  undoes: t.id({
    nullable: true,
    description: 'The change that `undoChange` has undone by this one; `null` for other changes.',
    resolve: ({ changeId }, _args, { reading: { loaders } }) => loaders.undoneOf.load(changeId),
  }),
  change: t.field({
    type: RecordChangeType,
    nullable: true,
    description: 'The old and the new values of a program or branch; `null` for other records.',
    resolve: async ({ subject, subjectId, action, ...states }, _args, { reading: { loaders } }) => {
      const kind = recordKinds.find((one) => one === subject);
      if (kind === undefined || subjectId === null) return null;
      const [before, after] = [snapshotIn(states.before), snapshotIn(states.after)];
      const programId = Number((after ?? before)?.['programId']);
      const program = kind === 'Branch' ? await loaders.program.load(programId) : undefined;
      const programName = program?.name ?? null;
      return recordChangeOf({ kind, id: subjectId, before, after, programName, isRestored: action === 'restore' });
    },
  }),
}));

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
      resolve: ({ id }, args, { reading }) => {
        const { withBranches, ...request } = validateInput(historyRequest, args);
        if (withBranches) return entriesWithBranches(reading, id, request);
        return entriesOf(reading, { subject: 'Program', subjectId: id }, request);
      },
    },
    AuditLogConnection,
  ),
);

/** The entries of a program and of its branches, each kind by an index that ends in the id: a page reads no more than it shows. */
async function entriesWithBranches(reading: Reading, programId: number, request: z.output<typeof connectionRequest>) {
  const window = windowOf(request, positionId);
  const direction = window.backwards ? 'asc' : 'desc';
  const kinds = entriesOfProgram(programId);
  const page = Prisma.sql`id < ${window.after ?? idEnd} AND id > ${window.before ?? -1}
    ORDER BY id ${Prisma.raw(direction)} LIMIT ${window.limit + 1}`;
  const pages = kinds.map((kind) => Prisma.sql`(SELECT id FROM audit_entries WHERE ${kind} AND ${page})`);
  const found = await queryRows<{ readonly id: number }>(
    reading.db,
    Prisma.sql`SELECT id FROM (${Prisma.join(pages, ' UNION ALL ')}) AS found
      ORDER BY id ${Prisma.raw(direction)} LIMIT ${window.limit + 1}`,
  );
  const where = { id: { in: found.map(({ id }) => id) } };
  const rows = await reading.prisma((db) => db.auditEntry.findMany({ where, orderBy: { id: direction } }));
  const counts = kinds.map((kind) => Prisma.sql`(SELECT count(*) FROM audit_entries WHERE ${kind})`);
  return {
    ...connectionOf(rows, window, ({ id }) => id),
    totalCount: async () => {
      const count = Prisma.sql`SELECT (${Prisma.join(counts, ' + ')})::int AS count`;
      const [counted] = await queryRows<{ readonly count: number }>(reading.db, count);
      return counted?.count ?? 0;
    },
  };
}

/** No id is larger. */
const idEnd = 2_147_483_647;
