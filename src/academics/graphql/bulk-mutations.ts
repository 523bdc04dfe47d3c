import { builder } from '../../graphql/builder.ts';
import { writes } from '../../graphql/performing.ts';
import { ProblemRule } from '../../graphql/problem-rule.ts';
import {
  deleteBranches,
  deletePrograms,
  restoreBranches,
  restorePrograms,
  updateBranches,
  updatePrograms,
} from '../operations/many-records.ts';
import { recordChangeOf } from '../record-change.ts';
import { RecordKindEnum } from '../record-kind.ts';
import type { BulkResult } from '../sql/writes/change-records.ts';
import type { RecordProblem } from '../sql/writes/record-problems.ts';
import { UpdateBranchesInput, UpdateProgramsInput } from './inputs.ts';
import { dryRunChanges, RecordChangeType } from './record-change.ts';

export const BulkProblem = builder.objectRef<RecordProblem>('BulkProblem').implement({
  description:
    'Why a record cannot be changed, as the error of a mutation of this record alone would say. `id` is the id of the record. Normalizing clients must not cache this type by id.',
  fields: (t) => ({
    kind: t.expose('kind', { type: RecordKindEnum, description: 'Type of the record.' }),
    id: t.exposeInt('id', { description: 'Identifier of the record.' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name of the record, of a deleted one its last; `null` if it never existed.',
    }),
    code: t.exposeString('code', { description: 'Code of the error: `NOT_FOUND`, `CONFLICT` or `VALIDATION_FAILED`.' }),
    message: t.exposeString('message', { description: 'What is the problem.' }),
    rule: t.field({
      type: ProblemRule,
      description: 'What the message says, for clients that say it in another language.',
      resolve: ({ rule }) => rule,
    }),
    details: t.field({
      type: 'JSON',
      description: 'The details of the rule, by name.',
      resolve: ({ details }) => details,
    }),
  }),
});

const BulkResultType = builder.objectRef<BulkResult>('BulkResult').implement({
  description:
    'What a mutation of several records changed, or with `dryRun` would change. With a problem nothing is changed.',
  fields: (t) => ({
    changeId: t.exposeID('changeId', {
      nullable: true,
      description:
        'The change, for `undoChange` and the filter of `auditLog`; `null` when nothing changed, and with `dryRun`.',
    }),
    fingerprint: t.exposeString('fingerprint', {
      nullable: true,
      description:
        'Identifies what would be changed, by its records as they are and would be; `null` when it was changed, and with a problem.',
    }),
    changed: t.exposeInt('changed', {
      description: 'Number of the given records that changed; 0 with a problem. Branches of programs do not count.',
    }),
    unchanged: t.exposeInt('unchanged', {
      description: 'Number of the given records that were so already; 0 with a problem.',
    }),
    problems: t.field({
      type: [BulkProblem],
      description: 'The records that cannot be changed, ordered by id.',
      resolve: ({ problems }) => [...problems],
    }),
    changes: t.field({
      type: [RecordChangeType],
      description: dryRunChanges,
      resolve: ({ changes }) => changes.map(recordChangeOf),
    }),
  }),
});

const costPerId = 10;

const shared = {
  type: BulkResultType,
  itemCost: costPerId,
} as const;

const allOrNone = 'up to 1,000 of them, all or none; an id that is there twice counts once.';
const choices = builder.args((t) => ({
  dryRun: t.boolean({ defaultValue: false, description: 'Only say what would be changed.' }),
  fingerprint: t.string({
    description: 'Of a dry run: change only what it said. When the records are others by now, it is a dry run again.',
  }),
}));

builder.mutationFields((t) => ({
  updatePrograms: t.field({
    ...shared,
    description: `Updates programs, ${allOrNone}`,
    args: {
      ids: t.arg.intList({ required: true, description: 'Identifiers of the programs.' }),
      input: t.arg({ type: UpdateProgramsInput, required: true, description: 'The changes.' }),
      ...choices,
    },
    ...writes(updatePrograms),
  }),
  updateBranches: t.field({
    ...shared,
    description: `Updates branches, and moves them to another program if one is given: ${allOrNone}`,
    failsWith: ['NOT_FOUND'],
    args: {
      ids: t.arg.intList({ required: true, description: 'Identifiers of the branches.' }),
      input: t.arg({ type: UpdateBranchesInput, required: true, description: 'The changes.' }),
      ...choices,
    },
    ...writes(updateBranches),
  }),
}));

const others = [
  { operation: deletePrograms, description: 'Deletes programs and their branches', records: 'programs' },
  { operation: deleteBranches, description: 'Deletes branches', records: 'branches' },
  {
    operation: restorePrograms,
    description: 'Restores deleted programs and the branches deleted with them',
    records: 'programs',
  },
  { operation: restoreBranches, description: 'Restores deleted branches', records: 'branches' },
] as const;

for (const { operation, description, records } of others) {
  builder.mutationField(operation.name, (t) =>
    t.field({
      ...shared,
      description: `${description}, ${allOrNone}`,
      args: {
        ids: t.arg.intList({ required: true, description: `Identifiers of the ${records}.` }),
        ...choices,
      },
      ...writes(operation),
    }),
  );
}
