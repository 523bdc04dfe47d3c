import { z } from 'zod';
import { orAbsent, orCleared, orDefault, orNone } from '../../validation/optional.ts';
import { issue } from '../../validation/problems.ts';
import { codeLine, multiLine, singleLine } from '../../validation/text.ts';
import { attributeChanges, newAttributes } from './attributes.ts';
import { codeMax } from './records.ts';

/** Maximum years of a branch; year codes allow at most 26, one per letter. */
const yearsMax = 10;

/**
 * Bytes of JSON up to which branches are created in a program: a response (`RESPONSE_MAX_BYTES`) has room for them all, so
 * that a user who creates branches takes no program from its readers.
 */
export const branchBytesMax = 6_000_000;

/** The same for those who may not edit: a page of twenty such programs has room for their branches too. */
export const branchBytesOfOthersMax = 300_000;

const code = codeLine('code', { max: codeMax });
const name = singleLine('name', { min: 1, max: 255 });
const description = multiLine('description', { max: 2_000 });
const codePrefix = codeLine('codePrefix', { max: 20 });

/** A required integer; zod's `int` rejects those beyond 2^53, which only mean a program that does not exist. */
const requiredInteger = (field: string, min: number, max: number, beyond: string) =>
  z
    .number({ error: ({ input }) => issue(input === undefined ? 'REQUIRED' : 'NOT_INTEGER', { field }) })
    .refine((value) => Number.isInteger(value), issue('NOT_INTEGER', { field }))
    .refine((value) => !Number.isInteger(value) || (value >= min && value <= max), beyond)
    .meta({ type: 'integer', minimum: min, ...(Number.isFinite(max) && { maximum: max }) });

const programId = requiredInteger('programId', 1, Number.POSITIVE_INFINITY, issue('NOT_AN_ID', { field: 'programId' }));
const years = requiredInteger('years', 1, yearsMax, issue('OUT_OF_RANGE', { field: 'years', min: 1, max: yearsMax }));
const codeIsNumeric = z.boolean(issue('NOT_BOOLEAN', { field: 'codeIsNumeric' }));

/** Descriptions are those of the schema of GraphQL. */
const texts = {
  code: `The university's own code of the branch: one line, at most ${codeMax} characters.`,
  name: 'Name of the branch: one line, 1 to 255 characters.',
  description: 'Description of the branch: any number of lines, at most 2,000 characters.',
  years: `Number of years of the branch, 1 to ${yearsMax}.`,
  codePrefix: 'Prefix of the year codes, at most 20 characters.',
  codeIsNumeric: 'Whether year codes end in a number (`L1`) rather than a letter (`LA`).',
};

export const newBranch = z.object({
  programId: programId.describe('Identifier of the program that the branch belongs to.'),
  code: orNone(code).describe(texts.code),
  name: name.describe(texts.name),
  description: orDefault(description, '').describe(`${texts.description} Empty when absent.`),
  years: years.describe(texts.years),
  codePrefix: orDefault(codePrefix, '').describe(`${texts.codePrefix} Empty when absent.`),
  codeIsNumeric: orDefault(codeIsNumeric, true).describe(`${texts.codeIsNumeric} True when absent.`),
  attributes: newAttributes,
});

export const branchChanges = z.object({
  programId: orAbsent(programId).describe('Identifier of the program to move to.'),
  code: orCleared(code).describe(texts.code),
  name: orAbsent(name).describe(texts.name),
  years: orAbsent(years).describe(`${texts.years} Years beyond it are removed, missing ones are added.`),
  codePrefix: orAbsent(codePrefix).describe(texts.codePrefix),
  codeIsNumeric: orAbsent(codeIsNumeric).describe(texts.codeIsNumeric),
  description: orAbsent(description).describe(texts.description),
  attributes: attributeChanges,
});
