import { decodeCursor } from '@service/change-log/cursor';
import type { Pulled } from '@service/change-log/pull';
import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { reads } from '../../graphql/performing.ts';
import { defineRead } from '../../operations/operation.ts';
import { perform } from '../../operations/perform.ts';
import { afterBy, firstUpTo } from '../../validation/cursors.ts';
import { orDefault } from '../../validation/optional.ts';
import type { CatalogEvent, EventContent } from '../changes/catalog-event.ts';
import { kinds, recordKinds } from '../kinds.ts';
import { RecordKindEnum } from '../record-kind.ts';
import { shownWithProgram } from './branch.ts';

const ChangeAction = builder.enumType('ChangeAction', {
  description: 'What happened to a record.',
  values: {
    CREATE: { description: 'The record was created.' },
    UPDATE: { description: 'The record was updated; of a branch, possibly its years or its program.' },
    DELETE: { description: 'The record was deleted.' },
    RESTORE: { description: 'The record was restored after a deletion.' },
    NOTE: {
      description:
        'A note on the record was written, closed, opened again or deleted; the record is as before. Only with `notes: true`.',
    },
    RELOAD: {
      description: 'Too many changes to list (e.g. a bulk import), or some may have been missed. Refetch.',
    },
  },
});

const CatalogChange = builder.objectRef<CatalogEvent>('CatalogChange').implement({
  description: 'A change of the catalog. Changes of the same record arrive in commit order.',
  fields: (t) => ({
    cursor: t.exposeString('id', {
      description: 'Pass it as `after` to resume from here. Valid for 7 days.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was committed.' }),
    action: t.expose('action', { type: ChangeAction, description: 'The action.' }),
    kind: t.field({
      type: RecordKindEnum,
      nullable: true,
      description: 'Type of the changed record; `null` for `RELOAD`.',
      resolve: ({ kind }) => recordKinds.find((one) => kinds[one].logged === kind) ?? null,
    }),
    programId: t.exposeInt('programId', {
      nullable: true,
      description:
        "Identifier of the program, or of the branch's program; `null` for a `RELOAD` of more than one program.",
    }),
    branchId: t.exposeInt('branchId', {
      nullable: true,
      description: 'Identifier of the branch; `null` if the change is not of a branch.',
    }),
    previousProgramId: t.exposeInt('previousProgramId', {
      nullable: true,
      description: 'Identifier of the program that the branch was moved out of; `null` if it was not moved.',
    }),
    program: t.expose('program', {
      type: 'Program',
      nullable: true,
      access: 'programs:read',
      description:
        "The program, or the branch's program, as it was when the event was read; a deleted one as it last was.",
    }),
    branch: t.field({
      type: 'Branch',
      nullable: true,
      description:
        'The branch, if the change is of one, as it was when the event was read; a deleted one as it last was.',
      resolve: ({ branch, program }) => branch && shownWithProgram(branch, program),
    }),
  }),
});

const subscriptionRequest = z.object({
  programId: z.int().min(0, 'programId must not be negative.').nullish(),
  notes: orDefault(z.boolean(), false),
  after: afterBy(decodeCursor, 'after must be the cursor of a change.'),
});

const subscribeToChanges = defineRead({
  name: 'catalogChanged',
  access: 'programs:read',
  scope: 'uncacheable',
  input: subscriptionRequest,
  run: async ({ programId, notes, after }, { request }) => {
    const { app, caller, lastEventId } = request;
    const events = await app.feed.subscribe({ programId, notes, after, caller, lastEventId });
    // Nothing else ends the iterator if the response is never read.
    request.onClosed(() => void events.return?.());
    return events;
  },
});

builder.subscriptionField('catalogChanged', (t) =>
  t.field({
    type: CatalogChange,
    description:
      'Notifies of every change of programs and branches, through any instance or the command line. Ends when the caller loses the permission to read programs.',
    operation: subscribeToChanges,
    args: {
      programId: t.arg.int({
        description: 'Only changes of this program and its branches, those that move in or out included.',
      }),
      notes: t.arg.boolean({ defaultValue: false, description: 'Also notes on records, as `NOTE`.' }),
      after: t.arg.string({
        description:
          'The `cursor` of the last change received, or of `catalogChanges`: resume from there. The header `Last-Event-ID`, which clients send when they reconnect, takes precedence.',
      }),
    },
    subscribe: (_parent, { programId, notes, after }, { reading }) => {
      const given = { programId, notes, after: reading.request.lastEventId ? null : after };
      return perform(subscribeToChanges, () => given, reading);
    },
    resolve: (event) => event,
  }),
);

export const changesMax = 1_000;

const changesRequest = z.object({
  after: z.string().nullish(),
  first: firstUpTo(changesMax, 100),
});

const CatalogChanges = builder.objectRef<Pulled<EventContent>>('CatalogChanges').implement({
  description: 'The changes since a cursor, for a client that keeps a copy of the catalog.',
  fields: (t) => ({
    changes: t.field({
      type: [CatalogChange],
      description: 'In the order of the log, each once; never `RELOAD`. Empty if `reload` is true.',
      resolve: ({ events }) => [...events],
    }),
    cursor: t.exposeString('cursor', {
      description: 'Pass it as `after` to go on from here. Valid for 7 days, for the subscription as well.',
    }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether there may be more changes now: query again, with `cursor`.',
    }),
    reload: t.exposeBoolean('reload', {
      description:
        'Whether changes are missing: too many to list (e.g. a bulk import), or `after` is too old or unknown. Read everything again, then go on from `cursor`.',
    }),
  }),
});

const pullChanges = defineRead({
  name: 'catalogChanges',
  access: 'programs:read',
  scope: 'uncacheable',
  input: changesRequest,
  run: ({ after, first }, { request }) => request.app.feed.pull(after ?? undefined, first),
});

builder.queryField('catalogChanges', (t) =>
  t.field({
    type: CatalogChanges,
    description:
      'The changes of programs and branches since a cursor, for jobs that keep a copy: take a cursor, read everything, then query the changes again and again.',
    args: {
      after: t.arg.string({
        description:
          'The last `cursor`, of this query or the subscription. Absent: no changes, and a cursor to begin with.',
      }),
      first: t.arg.int({ defaultValue: 100, description: `Number of changes, from 1 to ${changesMax}.` }),
    },
    ...reads(pullChanges),
  }),
);
