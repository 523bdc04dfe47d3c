import { knownColumns, type Problem } from '../../transfer/columns.ts';
import type { Change } from '../../transfer/conflicts.ts';
import type { FileImportResult } from '../../transfer/importer.ts';
import { rejectedCsv } from '../../transfer/rejected-rows.ts';
import { builder } from './builder.ts';
import { RecordKind } from './catalog-stats.ts';

export const ImportColumn = builder.enumType('ImportColumn', {
  description: 'A column of the import format.',
  values: Object.fromEntries(
    knownColumns.map((column) => [column.toUpperCase(), { value: column, description: `The column \`${column}\`.` }]),
  ),
});

const ImportOutcome = builder.enumType('ImportOutcome', {
  description: 'How an import ended.',
  values: {
    IMPORTED: { value: 'imported', description: 'The rows were imported: all, or with `skipInvalid` all valid ones.' },
    CHECKED: { value: 'checked', description: 'A dry run: nothing was changed.' },
    REJECTED: { value: 'rejected', description: 'Nothing was imported, because rows have problems.' },
  },
});

const ImportCounts = builder.objectRef<FileImportResult['programs']>('ImportCounts').implement({
  description: 'What an import does to programs or branches.',
  fields: (t) => ({
    created: t.exposeInt('created', { description: 'Number of new records.' }),
    changed: t.exposeInt('changed', { description: 'Number of existing records that differ, in the mode `UPDATE`.' }),
    unchanged: t.exposeInt('unchanged', { description: 'Number of existing records that stay as they are.' }),
  }),
});

const ImportYearCounts = builder.objectRef<FileImportResult['years']>('ImportYearCounts').implement({
  description: 'What an import does to years of branches.',
  fields: (t) => ({
    created: t.exposeInt('created', { description: 'Number of new years.' }),
    changed: t.exposeInt('changed', { description: 'Number of years with another code.' }),
    removed: t.exposeInt('removed', { description: 'Number of years removed from branches.' }),
  }),
});

const ImportProblem = builder.objectRef<Problem>('ImportProblem').implement({
  description: 'A problem or a conflict in a row of a file.',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'Line of the file on which the row begins, from 1.' }),
    column: t.expose('column', {
      type: ImportColumn,
      nullable: true,
      description: 'The column; `null` when it concerns the whole row.',
    }),
    message: t.exposeString('message', { description: 'What it is, for people.' }),
    value: t.exposeString('value', {
      nullable: true,
      description:
        'What the file has there, at most its first 100 characters; `null` when that is nothing, or when it concerns the whole row.',
    }),
  }),
});

const ImportChange = builder.objectRef<Change>('ImportChange').implement({
  description: 'A value of an existing record that an import replaces.',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'Line of the file on which the row begins, from 1.' }),
    column: t.field({ type: ImportColumn, description: 'The column.', resolve: ({ column }) => column }),
    kind: t.field({
      type: RecordKind,
      description: 'Whether the record is a program or a branch.',
      resolve: ({ subject }) => (subject === 'Program' ? 'PROGRAM' : 'BRANCH'),
    }),
    // Not `id`: a record can have several changes, and clients cache objects by type and id.
    recordId: t.exposeInt('id', { description: 'Identifier of the record.' }),
    from: t.exposeString('from', { description: 'The value in the database.' }),
    to: t.exposeString('to', { description: 'The value in the file.' }),
  }),
});

export const ImportReport = builder.objectRef<FileImportResult>('ImportReport').implement({
  description:
    'What an import did, or in a dry run would do. Each list has at most 1,000 items, and its total beside it.',
  fields: (t) => ({
    outcome: t.field({ type: ImportOutcome, description: 'How it ended.', resolve: ({ outcome }) => outcome }),
    rows: t.exposeInt('rows', { description: 'Number of rows in the file.' }),
    skipped: t.exposeInt('skipped', { description: 'Number of rows with problems, which are not imported.' }),
    repeated: t.exposeInt('repeated', { description: 'Number of rows that repeat the branch of an earlier row.' }),
    programs: t.field({ type: ImportCounts, description: 'The programs.', resolve: ({ programs }) => programs }),
    branches: t.field({ type: ImportCounts, description: 'The branches.', resolve: ({ branches }) => branches }),
    years: t.field({ type: ImportYearCounts, description: 'The years of branches.', resolve: ({ years }) => years }),
    problems: t.field({
      type: [ImportProblem],
      description: 'The first problems, because of which rows are not imported.',
      resolve: ({ problems }) => [...problems.listed],
    }),
    problemCount: t.int({ description: 'Number of all problems.', resolve: ({ problems }) => problems.total }),
    rejectedCsv: t.string({
      nullable: true,
      description:
        'The first 1,000 rows with problems as a CSV file, to correct and import again: line, problem and the cells of the row. `null` without any.',
      resolve: ({ rejected }) => rejectedCsv(rejected),
    }),
    conflicts: t.field({
      type: [ImportProblem],
      description:
        'The first values that are not used: they contradict an existing record or an earlier row, or describe a branch without a name.',
      resolve: ({ differences }) => [...differences.listed],
    }),
    conflictCount: t.int({ description: 'Number of all conflicts.', resolve: ({ differences }) => differences.total }),
    changes: t.field({
      type: [ImportChange],
      description: 'The first values that are replaced.',
      resolve: ({ changes }) => [...changes.listed],
    }),
    changeCount: t.int({ description: 'Number of all replaced values.', resolve: ({ changes }) => changes.total }),
    ignoredColumns: t.exposeStringList('ignoredColumns', {
      description: 'Names of columns that the format does not have, quoted; at most 100.',
    }),
  }),
});
