import { decodeCursor } from '@service/change-log/cursor';
import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { validateInput } from '../../validation/validate.ts';
import type { CatalogEvent } from '../changes/catalog-event.ts';
import { RecordKind } from './catalog-stats.ts';

const subscriptionRequest = z.object({
  programId: z.int().min(0, 'programId must not be negative.').nullish(),
  after: z
    .string()
    .nullish()
    .transform((id, context) => {
      if (id === null || id === undefined) return undefined;
      const cursor = decodeCursor(id);
      if (cursor === undefined) context.addIssue({ code: 'custom', message: 'after must be the id of a change.' });
      return cursor;
    }),
});

const ChangeAction = builder.enumType('ChangeAction', {
  description: 'What happened to a record.',
  values: {
    CREATED: { description: 'The record was created or restored.' },
    UPDATED: { description: 'The record was updated; of a branch, possibly its years.' },
    DELETED: { description: 'The record was deleted.' },
    RELOAD: {
      description: 'Too many changes to list (e.g. a bulk import), or some may have been missed. Refetch.',
    },
  },
});

const CatalogChange = builder.objectRef<CatalogEvent>('CatalogChange').implement({
  description: 'A change of the catalog. Changes of the same record arrive in commit order.',
  fields: (t) => ({
    id: t.exposeString('id', {
      description: 'Resume cursor. Pass it as `after` to resume from here. Valid for a day.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was committed.' }),
    action: t.expose('action', { type: ChangeAction, description: 'The action.' }),
    kind: t.expose('kind', {
      type: RecordKind,
      nullable: true,
      description: 'Type of the changed record; `null` for `RELOAD`.',
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
    program: t.expose('program', {
      type: 'Program',
      nullable: true,
      access: 'programs:read',
      description: "The program, or the branch's program, as of the time of the event; a deleted one as it last was.",
    }),
    branch: t.expose('branch', {
      type: 'Branch',
      nullable: true,
      description: 'The branch, if the change is of one, as of the time of the event; a deleted one as it last was.',
    }),
  }),
});

builder.subscriptionField('catalogChanged', (t) =>
  t.field({
    type: CatalogChange,
    description:
      'Notifies of every change of programs and branches, through any instance or the command line. Ends when the caller loses the permission to read programs.',
    access: 'programs:read',
    inputSchema: subscriptionRequest,
    args: {
      programId: t.arg.int({ description: 'Only changes of this program and its branches.' }),
      after: t.arg.string({
        description:
          'The `id` of the last change received: resume from there. The header `Last-Event-ID`, which clients send when they reconnect, takes precedence.',
      }),
    },
    subscribe: (_parent, { programId, after }, { subscribe, lastEventId }) =>
      subscribe(validateInput(subscriptionRequest, { programId, after: lastEventId ? null : after })),
    resolve: (event, _args, { loaders }) => {
      // A branch that was deleted with its program still resolves that program.
      if (event.program !== null) {
        loaders.program.prime(event.program.id, event.program);
        loaders.anyProgram.prime(event.program.id, event.program);
      }
      return event;
    },
  }),
);
