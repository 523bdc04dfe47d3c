import type { z } from 'zod';
import { parseInstant } from '../../../validation/instant.ts';
import { validateInput, validateTogether } from '../../../validation/validate.ts';
import { exportedState, requireNoPresentFields, timeForm } from '../../editions/exported-state.ts';
import { parseTime } from '../../editions/points.ts';
import { attributeValue, isAttributeKey } from '../../rules/attributes.ts';
import { exportedList, type exportFields } from '../../rules/lists.ts';
import type { ExportRequest } from '../export/exporter.ts';
import type { FormatName } from '../export/formats.ts';
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

/** Readers of all fields; the type rejects a missing one. `attributeFilterReader` reads a parameter for each attribute. */
const exportReaders: Readonly<Record<Exclude<keyof z.input<typeof exportFields>, 'attributes'>, ParameterReader>> = {
  search: textParameter,
  searchBranches: booleanParameter,
  searchAttributes: booleanParameter,
  duration: textParameter,
  durations: texts,
  codes: texts,
  hasCode: booleanParameter,
  hasProblem: booleanParameter,
  ids: identifiers,
  branchIds: identifiers,
  hasBranches: booleanParameter,
  minBranches: wholeNumber,
  maxBranches: wholeNumber,
  createdSince: instant,
  createdBefore: instant,
  updatedSince: instant,
  updatedBefore: instant,
  and: json,
  or: json,
  not: json,
  orderBy: textParameter,
  orderAttribute: textParameter,
};

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
  const readers = { ...exportReaders, escapeFormulas: booleanParameter, edition: textParameter, asOf: timeParameter };
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
