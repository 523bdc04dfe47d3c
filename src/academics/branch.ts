import { z } from 'zod';
import { orAbsent, orDefault } from './optional.ts';
import { multiLine, singleLine } from './text.ts';
import { yearsMax } from './year-codes.ts';

const name = singleLine('name', { least: 1, most: 255 });
const description = multiLine('description', { most: 2_000 });
const codePrefix = singleLine('codePrefix', { most: 20 });

/** A required whole number; zod's `int` would refuse what lies beyond 2^53, which is only a program that does not exist. */
const wholeNumber = (field: string, least: number, most: number, range: string) =>
  z
    .number({
      error: (issue) => (issue.input === undefined ? `${field} is required.` : `${field} must be an integer.`),
    })
    .refine((value) => Number.isInteger(value), `${field} must be an integer.`)
    .refine((value) => !Number.isInteger(value) || (value >= least && value <= most), `${field} must be ${range}.`)
    .meta({ type: 'integer', minimum: least, ...(Number.isFinite(most) && { maximum: most }) });

/** What creates a branch and its years (`docs/contract.md` 2, `docs/contract.md` 5). */
export const newBranch = z.object({
  programId: wholeNumber('programId', 1, Number.POSITIVE_INFINITY, '1 or more'),
  name,
  years: wholeNumber('years', 1, yearsMax, `from 1 to ${yearsMax}`),
  codePrefix: orDefault(codePrefix, ''),
  codeIsNumeric: orDefault(z.boolean('codeIsNumeric must be true or false.'), true),
  description: orDefault(description, ''),
});

/** What may change in a branch; what is absent stays. */
export const branchChanges = z.object({ name: orAbsent(name), description: orAbsent(description) });
