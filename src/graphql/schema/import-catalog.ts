import { z } from 'zod';
import { orAbsent, orDefault } from '../../academics/optional.ts';
import { type Column, knownColumns } from '../../transfer/columns.ts';
import { delimiters } from '../../transfer/csv-dialect.ts';
import { normalizedName } from '../../transfer/mapping.ts';
import { UploadedFile, uploadField } from '../uploaded-file.ts';
import { builder } from './builder.ts';
import { ImportColumn, ImportReport } from './import-report.ts';
import { withInput } from './with-input.ts';

const ImportFormat = builder.enumType('ImportFormat', {
  description: 'Format of a file to import.',
  values: {
    CSV: { value: 'csv', description: 'Comma-separated values; semicolons and tabs too.' },
    JSON: { value: 'json', description: 'An array of objects whose keys are the columns.' },
  },
});

const ImportMode = builder.enumType('ImportMode', {
  description: 'What an import does with records that exist.',
  values: {
    CREATE: { description: 'It leaves them as they are, and creates the others.' },
    UPDATE: { description: 'It changes those that differ, and creates the others.' },
  },
});

const ImportDelimiter = builder.enumType('ImportDelimiter', {
  description: 'What separates the cells of a CSV file.',
  values: {
    COMMA: { value: ',', description: 'A comma.' },
    SEMICOLON: { value: ';', description: 'A semicolon.' },
    TAB: { value: '\t', description: 'A tab.' },
  },
});

const ColumnMapping = builder.inputType('ColumnMapping', {
  description: 'Which column of the format a column of the file is.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the column in the file, in any letter case.' }),
    column: t.field({ type: ImportColumn, required: true, description: 'The column of the format.' }),
  }),
});

const mappingsMax = 100;
const mapping = z
  .array(
    z.object({
      name: z.string().transform(normalizedName).pipe(z.string().min(1, 'mapping must have names that are not blank.')),
      column: z.enum(knownColumns),
    }),
  )
  .max(mappingsMax, `mapping must have at most ${mappingsMax} columns.`)
  .transform((pairs) => new Map(pairs.map(({ name, column }): [string, Column] => [name, column])));

const importRequest = z.object({
  file: z.instanceof(UploadedFile),
  format: orAbsent(z.enum(['csv', 'json'])),
  mode: orDefault(z.enum(['CREATE', 'UPDATE']), 'CREATE'),
  dryRun: orDefault(z.boolean(), false),
  skipInvalid: orDefault(z.boolean(), false),
  delimiter: orAbsent(z.enum(delimiters)),
  mapping: orDefault(mapping, new Map()),
});

function formatOf({ name, mediaType }: UploadedFile): 'csv' | 'json' {
  const isJson = /\.json$/i.test(name) || (mediaType === 'application/json' && !/\.csv$/i.test(name));
  return isJson ? 'json' : 'csv';
}

builder.mutationField(uploadField, (t) =>
  t.field({
    type: ImportReport,
    description:
      'Imports programs and branches from a file, all of its rows or none. One import runs at a time. The request is `multipart/form-data`.',
    access: 'programs:write',
    args: {
      file: t.arg({ type: 'Upload', required: true, description: 'The file, in UTF-8.' }),
      format: t.arg({ type: ImportFormat, description: 'Its format; by its name when absent.' }),
      mode: t.arg({ type: ImportMode, defaultValue: 'CREATE', description: 'What to do with records that exist.' }),
      dryRun: t.arg.boolean({ defaultValue: false, description: 'Validate and compare only; change nothing.' }),
      skipInvalid: t.arg.boolean({
        defaultValue: false,
        description: 'Skip rows with problems and import the others.',
      }),
      delimiter: t.arg({ type: ImportDelimiter, description: 'For CSV; detected from the first line when absent.' }),
      mapping: t.arg({ type: [ColumnMapping], description: 'Columns of the file that have other names.' }),
    },
    ...withInput(importRequest, ({ file, format = formatOf(file), mode, ...options }, context) =>
      context.importFile({
        ...options,
        format,
        update: mode === 'UPDATE',
        fileName: file.name,
        bytes: file.bytes,
        delimiter: options.delimiter,
      }),
    ),
  }),
);
