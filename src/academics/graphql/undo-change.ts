import { builder } from '../../graphql/builder.ts';
import { writes } from '../../graphql/performing.ts';
import { undoChange } from '../operations/undo-change.ts';
import { recordChangeOf } from '../record-change.ts';
import type { UndoResult } from '../sql/writes/undo.ts';
import { BulkProblem } from './bulk-mutations.ts';
import { dryRunChanges, RecordChangeType } from './record-change.ts';

const UndoResultType = builder.objectRef<UndoResult>('UndoResult').implement({
  description: 'What `undoChange` did.',
  fields: (t) => ({
    changeId: t.exposeID('changeId', {
      nullable: true,
      description: 'The change that this is itself, which can be undone too; `null` when nothing changed.',
    }),
    undone: t.exposeInt('undone', {
      description: 'Number of programs and branches that are as before, at least in a field; with `dryRun`, would be.',
    }),
    left: t.field({
      type: [BulkProblem],
      description:
        'Records of which something stays, at most 1,000 of them: somebody has changed a field, which is named, or the record since, it is no longer there, a program has other branches, or the program of a branch is deleted.',
      resolve: ({ left }) => [...left],
    }),
    leftCount: t.exposeInt('leftCount', { description: 'Number of all records of which something stays.' }),
    changes: t.field({
      type: [RecordChangeType],
      description: dryRunChanges,
      resolve: ({ changes }) => changes.map(recordChangeOf),
    }),
  }),
});

builder.mutationField('undoChange', (t) =>
  t.field({
    type: UndoResultType,
    description:
      'Undoes a change of the catalog: what it created or restored is deleted, what it deleted is there again, each field that it updated is as before. What has been changed since stays as it is: of an update the field, else the record. `VALIDATION_FAILED` for a change of users or keys.',
    failsWith: ['NOT_FOUND'],
    itemCost: 10_000,
    args: {
      changeId: t.arg.id({
        required: true,
        description:
          'The change: of `BulkResult`, of an entry of `history` or `auditLog`, or of the report of an import.',
      }),
      dryRun: t.arg.boolean({ defaultValue: false, description: 'Only say what would be undone.' }),
    },
    ...writes(undoChange),
  }),
);
