import { z } from 'zod';
import { parseInstant } from '../academics/instant.ts';
import { programFilter } from '../academics/program-list.ts';
import { validateInput, validateTogether } from '../academics/validate.ts';
import type { FieldProblems } from '../errors.ts';
import type { ExportRequest } from '../transfer/exporter.ts';

const exportRequest = programFilter.omit({ deleted: true }).extend({ escapeFormulas: z.boolean().default(false) });

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const wholeNumber = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

/** How each parameter is read from text. What cannot be read is `undefined`. */
const readers: Readonly<
  Record<keyof z.input<typeof exportRequest>, { form: string; read: (text: string) => unknown }>
> = {
  search: { form: 'text', read: (text) => text },
  searchBranches: { form: 'true or false', read: (text) => booleans.get(text) },
  duration: { form: 'text', read: (text) => text },
  ids: {
    form: 'whole numbers with commas between them',
    read: (text) => (/^\d{1,10}(?:,\d{1,10})*$/.test(text) ? text.split(',').map(Number) : undefined),
  },
  hasBranches: { form: 'true or false', read: (text) => booleans.get(text) },
  minBranches: { form: 'a whole number', read: wholeNumber },
  maxBranches: { form: 'a whole number', read: wholeNumber },
  createdSince: { form: 'an RFC 3339 date and time, such as 2026-11-21T09:30:00Z', read: parseInstant },
  updatedSince: { form: 'an RFC 3339 date and time, such as 2026-11-21T09:30:00Z', read: parseInstant },
  escapeFormulas: { form: 'true or false', read: (text) => booleans.get(text) },
};

/**
 * Reads the query of an export. An unknown parameter is an error: a misspelled filter would export everything.
 *
 * @throws ServiceError `VALIDATION_FAILED` with all problems by parameter.
 */
export function readExportRequest(query: string, format: ExportRequest['format']): Promise<ExportRequest> {
  const parameters = new URLSearchParams(query);
  const problems: FieldProblems = {};
  const input: Record<string, unknown> = {};
  for (const name of new Set(parameters.keys())) {
    const [text = '', ...others] = parameters.getAll(name);
    const reader = Object.entries(readers).find(([known]) => known === name)?.[1];
    const value = others.length === 0 ? reader?.read(text) : undefined;
    if (value !== undefined) input[name] = value;
    else
      problems[name] = [reader === undefined ? 'There is no such parameter.' : `${name} must be ${reader.form}, once.`];
  }
  return validateTogether(problems, async () => {
    const { escapeFormulas, ...filter } = validateInput(exportRequest, input);
    return { filter: { ...filter, deleted: undefined }, format, escapeFormulas };
  });
}
