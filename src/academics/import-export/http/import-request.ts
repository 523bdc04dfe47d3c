import type { IncomingMessage } from 'node:http';
import type { FieldProblems } from '@service/errors';
import { BodyError } from '@service/http/body-bytes';
import type { Delimiter } from '@service/tabular/csv-dialect';
import { normalizedName } from '@service/tabular/rows';
import { z } from 'zod';
import { singleLine } from '../../../validation/text.ts';
import { validateInput, validateTogether } from '../../../validation/validate.ts';
import { type Column, knownColumns, type Mapping } from '../columns.ts';
import type { FileImport } from '../import/importer.ts';
import { booleanParameter, type ParameterReader, readParameters, textParameter } from './query-parameters.ts';

/** The headers and the query of a request, validated. */
export type ImportRequest = Pick<
  FileImport,
  'fileName' | 'format' | 'delimiter' | 'mapping' | 'dryRun' | 'update' | 'skipInvalid'
>;

const parameters = z.object({
  dryRun: z.boolean().default(false),
  update: z.boolean().default(false),
  skipInvalid: z.boolean().default(false),
  delimiter: z.enum([',', ';', '\t']).optional(),
  fileName: singleLine('fileName', { min: 1, max: 255 }).optional(),
});

const delimiterNames: ReadonlyMap<string, Delimiter> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
]);

const mapPrefix = 'map.';

const readers: Readonly<Record<string, ParameterReader>> = {
  dryRun: booleanParameter,
  update: booleanParameter,
  skipInvalid: booleanParameter,
  delimiter: { form: 'comma, semicolon or tab', read: (text) => delimiterNames.get(text) },
  fileName: textParameter,
  ...Object.fromEntries(
    knownColumns.map((column) => [
      mapPrefix + column,
      { form: 'the name of a column in the file', read: (text: string) => normalizedName(text) || undefined },
    ]),
  ),
};

const formats: ReadonlyMap<string, Pick<ImportRequest, 'format' | 'delimiter'>> = new Map([
  ['text/csv', { format: 'csv', delimiter: undefined }],
  ['text/tab-separated-values', { format: 'csv', delimiter: '\t' }],
  ['application/json', { format: 'json', delimiter: undefined }],
]);

/**
 * Reads the headers and the query of an import.
 *
 * @throws BodyError for a media type that is no format of a file, ServiceError `VALIDATION_FAILED` with all problems by
 *   parameter.
 */
export async function readImportRequest({ url = '', headers }: IncomingMessage): Promise<ImportRequest> {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  const format = formats.get(mediaType);
  if (format === undefined) {
    throw new BodyError(415, `The file must be sent as Content-Type: ${[...formats.keys()].join(', or ')}.`);
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new BodyError(415, 'The file must be sent without Content-Encoding.');
  }
  const { input, problems } = readParameters(url, readers);
  const mapping = mappingIn(input, problems);
  return validateTogether(problems, async () => {
    const { delimiter, fileName = null, ...options } = validateInput(parameters, input);
    return { ...options, ...format, ...(delimiter && { delimiter }), fileName, mapping };
  });
}

/** By the names of the columns in the file; adds a problem for each that is named twice. */
function mappingIn(input: Readonly<Record<string, unknown>>, problems: FieldProblems): Mapping {
  const mapping = new Map<string, Column>();
  for (const column of knownColumns) {
    const parameter = mapPrefix + column;
    const name = input[parameter];
    if (typeof name !== 'string') continue;
    const other = mapping.get(name);
    if (other === undefined) mapping.set(name, column);
    else problems[parameter] = [`${parameter} names the same column as ${mapPrefix}${other}.`];
  }
  return mapping;
}
