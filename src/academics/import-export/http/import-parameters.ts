import type { IncomingMessage } from 'node:http';
import type { FieldProblems } from '@service/errors/problems';
import { BodyError } from '@service/http/body-bytes';
import { type Delimiter, delimiters } from '@service/tabular/csv-dialect';
import { normalizedName } from '@service/tabular/rows';
import { choosableEncodings } from '@service/tabular/text';
import { macroType, xlsxType } from '@service/tabular/xlsx';
import { z } from 'zod';
import { singleLine } from '../../../validation/text.ts';
import { validateInput, validateTogether } from '../../../validation/validate.ts';
import { type Column, columnNamed, keptColumnNamed, type Mapping } from '../columns.ts';
import { importOrigins } from '../import/import-rows.ts';
import type { ChosenOptions, ChosenReading, FileImport } from '../import/importer.ts';
import { booleanParameter, type ParameterReader, readParameters, textParameter, wholeNumber } from './parameters.ts';

/** How a file is read: the headers and the query of a request, validated. */
export type FileRequest = Pick<FileImport, ChosenReading>;

export type ImportRequest = FileRequest & Pick<FileImport, ChosenOptions | 'fillDown' | 'mapping'>;

const fileParameters = z.object({
  delimiter: z.enum(delimiters).optional(),
  encoding: z.enum(choosableEncodings).optional(),
  sheet: z.string().optional(),
  headerRow: z.int().min(1, 'headerRow must be 1 or more.').optional(),
  skipHidden: z.boolean().default(false),
});

const parameters = fileParameters.extend({
  dryRun: z.boolean().default(false),
  update: z.boolean().default(false),
  skipInvalid: z.boolean().default(false),
  renamed: z.boolean().default(false),
  ownIds: z.boolean().default(false),
  wholeCatalog: z.boolean().default(false),
  fillDown: z.boolean().default(false),
  keep: z.array(z.string()).default([]),
  fileName: singleLine('fileName', { min: 1, max: 255 }).optional(),
  origin: z.enum(importOrigins).optional(),
  fingerprint: z.string().optional(),
});

const delimiterNames: ReadonlyMap<string, Delimiter> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['bar', '|'],
]);

const mapPrefix = 'map.';

const fileReaders: Readonly<Record<string, ParameterReader>> = {
  delimiter: { form: 'comma, semicolon, tab or bar', read: (text) => delimiterNames.get(text) },
  encoding: {
    form: `one of ${choosableEncodings.join(', ')}`,
    read: (text) => choosableEncodings.find((known) => known.toLowerCase() === text.toLowerCase()),
  },
  sheet: { form: 'the name of a sheet', read: (text) => text || undefined },
  headerRow: wholeNumber,
  skipHidden: booleanParameter,
};

const nameInFile = (text: string): string => text.trim().toLowerCase();

const columnParameter: ParameterReader = { form: 'the name of a column in the file, or empty', read: nameInFile };

const valueColumnsParameter: ParameterReader = {
  form: 'columns of values with commas between them, such as branch_description,program_attr:level',
  read: (text) => {
    const columns = text.split(',').map(keptColumnNamed);
    return columns.every((column) => column !== undefined) ? columns : undefined;
  },
};

const importReaders: Readonly<Record<string, ParameterReader>> = {
  ...fileReaders,
  dryRun: booleanParameter,
  update: booleanParameter,
  skipInvalid: booleanParameter,
  renamed: booleanParameter,
  ownIds: booleanParameter,
  wholeCatalog: booleanParameter,
  fillDown: booleanParameter,
  keep: valueColumnsParameter,
  fileName: textParameter,
  origin: { form: importOrigins.join(' or '), read: (text) => importOrigins.find((known) => known === text) },
  fingerprint: textParameter,
};

/** The column of a parameter such as `map.program_name`. */
const mappedColumn = (parameter: string): Column | undefined =>
  parameter.startsWith(mapPrefix) ? columnNamed(parameter.slice(mapPrefix.length)) : undefined;

const mapReader = (parameter: string): ParameterReader | undefined =>
  mappedColumn(parameter) === undefined ? undefined : columnParameter;

const formats: ReadonlyMap<string, Pick<ImportRequest, 'format' | 'delimiter'>> = new Map([
  ['text/csv', { format: 'csv', delimiter: undefined }],
  ['text/tab-separated-values', { format: 'csv', delimiter: '\t' }],
  ['application/json', { format: 'json', delimiter: undefined }],
  ['application/x-ndjson', { format: 'json', delimiter: undefined }],
  ['application/jsonl', { format: 'json', delimiter: undefined }],
  [xlsxType, { format: 'xlsx', delimiter: undefined }],
  [macroType, { format: 'xlsx', delimiter: undefined }],
]);

/**
 * Reads the headers and the query of an import.
 *
 * @throws BodyError for a media type that is no format of a file, ServiceError `VALIDATION_FAILED` with all problems by
 *   parameter.
 */
export async function readImportRequest(request: IncomingMessage): Promise<ImportRequest> {
  const format = formatOf(request);
  const { input, problems } = readParameters(request.url ?? '', importReaders, mapReader);
  const mapping = mappingIn(input, problems);
  return validateTogether(problems, async () => {
    const { fileName = null, ...options } = validateInput(parameters, input);
    return { ...withFormat(options, format), fileName, mapping };
  });
}

/** Reads the parameters of a request that only looks at a file. @throws as `readImportRequest`. */
export async function readFileRequest(request: IncomingMessage): Promise<FileRequest> {
  const format = formatOf(request);
  const { input, problems } = readParameters(request.url ?? '', fileReaders);
  return validateTogether(problems, async () => withFormat(validateInput(fileParameters, input), format));
}

/** Takes the delimiter of the query, else of the media type. */
const withFormat = <Options extends z.output<typeof fileParameters>>(
  options: Options,
  { format, delimiter }: Pick<FileRequest, 'format' | 'delimiter'>,
) => ({
  ...options,
  format,
  delimiter: options.delimiter ?? delimiter,
  encoding: options.encoding,
  sheet: options.sheet,
  headerRow: options.headerRow,
  skipHidden: options.skipHidden,
});

function formatOf({ headers }: IncomingMessage): Pick<FileRequest, 'format' | 'delimiter'> {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  const format = formats.get(mediaType);
  if (format === undefined) {
    throw new BodyError(415, `The file must be sent as Content-Type: ${[...formats.keys()].join(', or ')}.`);
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new BodyError(415, 'The file must be sent without Content-Encoding.');
  }
  return format;
}

/**
 * Maps columns to their names in the file; one with an empty name is not read. Adds a problem for each name and each
 * column that is given twice.
 */
function mappingIn(input: Readonly<Record<string, unknown>>, problems: FieldProblems): Mapping {
  const mapping = new Map<string, Column | null>();
  const parameters = new Map<Column, string>();
  for (const [parameter, given] of Object.entries(input)) {
    const column = mappedColumn(parameter);
    if (typeof given !== 'string' || column === undefined) continue;
    const same = parameters.get(column);
    if (same !== undefined) problems[parameter] = [`${parameter} is the same parameter as ${same}.`];
    parameters.set(column, parameter);
    const name = keyIn(mapping, given || column);
    const other = mapping.get(name);
    if (given === '') mapping.set(name, other ?? null);
    else if (other == null) mapping.set(name, column);
    else problems[parameter] = [`${parameter} names the same column as ${mapPrefix}${other}.`];
  }
  return mapping;
}

/** A name as the mapping has it already, if it has. */
const keyIn = (mapping: Mapping, name: string): string =>
  [...mapping.keys()].find((key) => normalizedName(key) === normalizedName(name)) ?? name;
