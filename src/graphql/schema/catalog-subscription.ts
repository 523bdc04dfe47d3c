import { z } from 'zod';
import { validateInput } from '../../academics/validate.ts';
import type { CatalogEvent } from '../../change-feed/catalog-event.ts';
import { decodeCursor } from '../../change-feed/cursor.ts';
import { builder } from './builder.ts';
import { RecordKind } from './catalog-stats.ts';

const followRequest = z.object({
  programId: z.int().min(0, 'programId must not be negative.').nullish(),
  after: z
    .string()
    .nullish()
    .transform((id, context) => {
      if (id === null || id === undefined) return undefined;
      const place = decodeCursor(id);
      if (place === undefined) context.addIssue({ code: 'custom', message: 'after must be the id of a change.' });
      return place;
    }),
});

const ChangeAction = builder.enumType('ChangeAction', {
  description: 'What happened to a record.',
  values: {
    CREATED: { description: 'It is there now: it is new, or was brought back.' },
    UPDATED: { description: 'It has changed; of a branch, its years too.' },
    DELETED: { description: 'It is no longer there.' },
    RELOAD: {
      description:
        'More was changed at once than is told one by one, as by an import, or something may have been missed: read anew what you show.',
    },
  },
});

const CatalogChange = builder.objectRef<CatalogEvent>('CatalogChange').implement({
  description: 'A change of the catalog. Changes of one record come in the order in which they were committed.',
  fields: (t) => ({
    id: t.exposeString('id', {
      description:
        'Where this change is in their order: who gives it as `after` is told what came next. Kept for a day.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was committed.' }),
    action: t.expose('action', { type: ChangeAction, description: 'What happened.' }),
    kind: t.expose('kind', {
      type: RecordKind,
      nullable: true,
      description: 'What was changed: a program or a branch; `null` for `RELOAD`.',
    }),
    programId: t.exposeInt('programId', {
      nullable: true,
      description:
        'Identifier of the program, or of the program of the branch; `null` for a `RELOAD` of more than one program.',
    }),
    branchId: t.exposeInt('branchId', { nullable: true, description: 'Identifier of the branch, if it is one.' }),
    program: t.expose('program', {
      type: 'Program',
      nullable: true,
      access: 'programs:read',
      description:
        'The program, or the program of the branch, as it is when this is told; of a deleted one, as it was last.',
    }),
    branch: t.expose('branch', {
      type: 'Branch',
      nullable: true,
      description: 'The branch, if it is one, as it is when this is told; of a deleted one, as it was last.',
    }),
  }),
});

builder.subscriptionField('catalogChanged', (t) =>
  t.field({
    type: CatalogChange,
    description:
      'Tells every change of programs and branches, whoever makes it. It ends when the caller may no longer read programs.',
    access: 'programs:read',
    inputSchema: followRequest,
    args: {
      programId: t.arg.int({ description: 'Only changes of this program and its branches.' }),
      after: t.arg.string({
        description:
          'The `id` of the last change that was seen: begins with what came next. The header `Last-Event-ID`, which clients send when they reconnect, counts for more.',
      }),
    },
    subscribe: (_parent, args, { subscribe }) => subscribe(validateInput(followRequest, args)),
    resolve: (event, _args, { loaders }) => {
      // So that a branch which was deleted with its program shows that program too.
      if (event.program !== null) loaders.program.prime(event.program.id, event.program);
      return event;
    },
  }),
);
