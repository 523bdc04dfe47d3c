import { z } from 'zod';
import { givenSchema } from '../../../validation/given-schema.ts';
import { parseInstant } from '../../../validation/instant.ts';
import { validateInput, validateTogether } from '../../../validation/validate.ts';
import { exportedState, requireNoPresentFields, timeForm } from '../../editions/exported-state.ts';
import { parseTime } from '../../editions/points.ts';
import { attributeValue, isAttributeKey } from '../../rules/attributes.ts';
import { exportedList, exportFields } from '../../rules/lists.ts';
import type { ExportRequest } from '../export/exporter.ts';
import { type FormatName, formats } from '../export/formats.ts';
import { booleanParameter, type ParameterReader, readParameters, textParameter, wholeNumber } from './parameters.ts';

/** A number beyond those that JavaScript counts exactly is cut to the last of them: no record has either as its id. */
const identifiers: ParameterReader = {
  form: 'whole numbers with commas between them',
  read: (text) => {
    if (!/^\d+(?:,\d+)*$/.test(text)) return undefined;
    return text.split(',').map((id) => Math.min(Number(id), Number.MAX_SAFE_INTEGER));
  },
};
/** A code that has a comma itself is for GraphQL. */
const texts: ParameterReader = { form: 'texts with commas between them', read: (text) => text.split(',') };
const instant: ParameterReader = {
  form: 'an RFC 3339 date and time, such as 2026-11-21T09:30:00Z',
  read: parseInstant,
};

const json: ParameterReader = {
  form: 'JSON',
  read: (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  },
};

/** The reader of a field, by what its schema takes. */
function readerOf(schema: z.core.$ZodType): ParameterReader {
  const given = givenSchema(schema);
  if (given instanceof z.ZodBoolean) return booleanParameter;
  if (given instanceof z.ZodNumber) return wholeNumber;
  if (given instanceof z.ZodDate) return instant;
  if (given instanceof z.ZodString || given instanceof z.ZodEnum) return textParameter;
  const item = given instanceof z.ZodArray ? givenSchema(given.def.element) : undefined;
  if (item instanceof z.ZodNumber) return identifiers;
  return item instanceof z.ZodString ? texts : json;
}

/** Readers of all fields but attributes: `attributeFilterReader` reads a parameter for each of these. */
const { attributes: _attributes, ...singleFields } = exportFields.shape;
const exportReaders: Readonly<Record<string, ParameterReader>> = Object.fromEntries(
  Object.entries(singleFields).map(([name, schema]) => [name, readerOf(schema)]),
);

const attributesPrefix = 'attributes.';

const attributeParameter: ParameterReader = {
  form: 'one line of 1 to 500 characters, or empty',
  read: (text) => (text === '' ? null : attributeValue.safeParse(text).data),
};

/** Reads the value that an attribute must have; an empty one means that a program must not have the attribute. */
const attributeFilterReader = (name: string): ParameterReader | undefined =>
  name.startsWith(attributesPrefix) && isAttributeKey(name.slice(attributesPrefix.length))
    ? attributeParameter
    : undefined;

/** Collects the parameters of single attributes into one list. */
const attributesIn = (input: Readonly<Record<string, unknown>>) =>
  Object.entries(input).flatMap(([name, value]) =>
    name.startsWith(attributesPrefix) ? { key: name.slice(attributesPrefix.length), value } : [],
  );

/** A day, which means its end, or a time. */
const timeParameter: ParameterReader = { form: timeForm, read: parseTime };

/**
 * Reads the query of an export.
 *
 * @throws ServiceError `VALIDATION_FAILED` with all problems by parameter.
 */
export function readExportRequest(url: string, format: FormatName): Promise<ExportRequest> {
  const readers = {
    ...exportReaders,
    ...(formats[format].escapesFormulas && { escapeFormulas: booleanParameter }),
    edition: textParameter,
    asOf: timeParameter,
  };
  const { input, problems } = readParameters(url, readers, attributeFilterReader);
  return validateTogether(problems, async () => {
    const { escapeFormulas = false, edition, asOf, ...fields } = input;
    const point = validateInput(exportedState, { edition, asOf });
    const single = Object.entries(fields).filter(([name]) => Object.hasOwn(exportReaders, name));
    const list = validateInput(exportedList, { ...Object.fromEntries(single), attributes: attributesIn(fields) });
    if (point !== undefined) requireNoPresentFields(list);
    return { ...list, format, escapeFormulas: escapeFormulas === true, point };
  });
}
