import { z } from 'zod';
import { parseInstant } from '../../../validation/instant.ts';
import { validateInput, validateTogether } from '../../../validation/validate.ts';
import { programFilter } from '../../rules/program-list.ts';
import type { ExportRequest } from '../export/exporter.ts';
import { booleanParameter, type ParameterReader, readParameters, textParameter } from './query-parameters.ts';

const exportRequest = programFilter.omit({ deleted: true }).extend({ escapeFormulas: z.boolean().default(false) });

const wholeNumber: ParameterReader = {
  form: 'a whole number',
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};
const instant: ParameterReader = {
  form: 'an RFC 3339 date and time, such as 2026-11-21T09:30:00Z',
  read: parseInstant,
};

/** Filters without one, such as lists of text, are for GraphQL. */
const readers: Readonly<Partial<Record<keyof z.input<typeof exportRequest>, ParameterReader>>> = {
  search: textParameter,
  searchBranches: booleanParameter,
  duration: textParameter,
  ids: {
    form: 'whole numbers with commas between them',
    read: (text) => (/^\d{1,10}(?:,\d{1,10})*$/.test(text) ? text.split(',').map(Number) : undefined),
  },
  hasBranches: booleanParameter,
  minBranches: wholeNumber,
  maxBranches: wholeNumber,
  createdSince: instant,
  updatedSince: instant,
  escapeFormulas: booleanParameter,
};

/**
 * Reads the query of an export.
 *
 * @throws ServiceError `VALIDATION_FAILED` with all problems by parameter.
 */
export function readExportRequest(url: string, format: ExportRequest['format']): Promise<ExportRequest> {
  const { input, problems } = readParameters(url, readers);
  return validateTogether(problems, async () => {
    const { escapeFormulas, ...filter } = validateInput(exportRequest, input);
    return { filter: { ...filter, deleted: undefined }, format, escapeFormulas };
  });
}
