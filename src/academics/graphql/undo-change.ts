import { builder } from '../../graphql/builder.ts';
import { writes } from '../../graphql/performing.ts';
import { undoChange } from '../operations/many-records.ts';
import type { UndoResult } from '../sql/writes/undo.ts';
import { BulkProblem } from './bulk-mutations.ts';

const UndoResultType = builder.objectRef<UndoResult>('UndoResult').implement({
  description: 'What `undoChange` did.',
  fields: (t) => ({
    changeId: t.exposeID('changeId', {
      nullable: true,
      description: 'The change that this is itself, which can be undone too; `null` when nothing changed.',
    }),
    undone: t.exposeInt('undone', { description: 'Number of programs and branches that are as before.' }),
    left: t.field({
      type: [BulkProblem],
      description:
        'Records that stay as they are, at most 1,000 of them: somebody has changed them since, they are no longer there, a program has other branches, or the program of a branch is deleted.',
      resolve: ({ left }) => [...left],
    }),
    leftCount: t.exposeInt('leftCount', { description: 'Number of all records that stay as they are.' }),
  }),
});

builder.mutationField('undoChange', (t) =>
  t.field({
    type: UndoResultType,
    description:
      'Undoes a change of the catalog: what it created or restored is deleted, what it updated or deleted is as before. Records that have been changed since stay as they are. `VALIDATION_FAILED` for a change of users or keys.',
    failsWith: ['NOT_FOUND'],
    itemCost: 10_000,
    args: {
      changeId: t.arg.id({
        required: true,
        description:
          'The change: of `BulkResult`, of an entry of `history` or `auditLog`, or of the report of an import.',
      }),
    },
    ...writes(undoChange),
  }),
);
