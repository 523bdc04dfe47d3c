import { z } from 'zod';
import { parseInstant } from '../../validation/instant.ts';
import { orAbsent } from '../../validation/optional.ts';
import { issue } from '../../validation/problems.ts';
import { codeLine, multiLine, singleLine } from '../../validation/text.ts';
import { identifierMax } from '../../validation/validate.ts';
import { attributesFilter } from './attributes.ts';
import { durationMax } from './program.ts';
import { codeMax } from './records.ts';

/** A longer list is a mistake or better split into several requests. */
const valuesMax = 1_000;
const listOf = <Item extends z.ZodType>(name: string, item: Item) =>
  orAbsent(z.array(item).max(valuesMax, issue('TOO_MANY', { field: name, max: valuesMax })));

const notNegative = (name: string) => z.int().min(0, issue('NEGATIVE', { field: name }));
/** Drops ids above 2147483647, however large; they cannot exist (`docs/contract.md` 2). */
export const identifiers = (name: string) =>
  listOf(
    name,
    z
      .number()
      .refine(Number.isInteger, issue('NOT_INTEGER', { field: name }))
      .min(0, issue('NEGATIVE', { field: name })),
  ).transform((ids) => ids?.filter((id) => id <= identifierMax));
const atLeastOne = (name: string) => z.int().min(1, issue('TOO_SMALL', { field: name, min: 1 }));

/** Exactly; of codes of years too. Codes and durations are stored normalized and trimmed, so they are compared so. */
const codes = (name: string) => listOf(name, codeLine(name, { max: codeMax }));

const duration = (name: string) => singleLine(name, { max: durationMax });
/** A time, or its text in JSON. */
const time = orAbsent(z.preprocess((given) => parseInstant(given) ?? given, z.date()));
const flag = orAbsent(z.boolean());

/** What programs and branches have in common. Descriptions are those of the schema of GraphQL. */
const recordConditions = {
  codes: codes('codes').describe('Code is exactly one of these, at most 1,000.'),
  hasCode: flag.describe('Whether the record has a code.'),
  attributes: attributesFilter,
  hasProblem: flag.describe(
    'Whether the record lacks an attribute that is required, or has a value of one that its definition would refuse today.',
  ),
  ids: identifiers('ids').describe('Id is one of these, at most 1,000.'),
  createdSince: time.describe('Created at or after this time.'),
  createdBefore: time.describe('Created before this time.'),
  updatedSince: time.describe('Last updated at or after this time.'),
  updatedBefore: time.describe('Last updated before this time.'),
};

export const programConditions = {
  ...recordConditions,
  duration: orAbsent(duration('duration')).describe('Duration, exactly.'),
  durations: listOf('durations', duration('durations')).describe('Duration is exactly one of these, at most 1,000.'),
  hasBranches: flag.describe('Whether the program has branches; of a deleted one, branches deleted with it.'),
  minBranches: orAbsent(notNegative('minBranches')).describe('The program has at least this many branches.'),
  maxBranches: orAbsent(notNegative('maxBranches')).describe('The program has at most this many branches.'),
};

export const branchConditions = {
  ...recordConditions,
  programId: orAbsent(notNegative('programId')).describe('Id of the program.'),
  programIds: identifiers('programIds').describe('Id of the program is one of these, at most 1,000.'),
  hasDescription: flag.describe('Whether the branch has a description.'),
  hasCodePrefix: flag.describe('Whether the codes of its years have a prefix.'),
  years: orAbsent(atLeastOne('years')).describe('Number of years, exactly.'),
  yearCounts: listOf('yearCounts', atLeastOne('yearCounts')).describe('Number of years is one of these.'),
  minYears: orAbsent(notNegative('minYears')).describe('The branch has at least this many years.'),
  maxYears: orAbsent(notNegative('maxYears')).describe('The branch has at most this many years.'),
  yearCodes: codes('yearCodes').describe('The code of one of its years is exactly one of these, at most 1,000.'),
};

/** Levels of `and`, `or` and `not`. */
const levelsMax = 3;
/** Conditions that are looked at in each record, without the help of an index. */
const conditionsMax = 20;

/** Conditions of which all, one or none must match. */
const combined = <Condition>(inner: z.ZodType<Condition>) => ({
  and: orAbsent(z.array(inner)),
  or: orAbsent(z.array(inner)),
  not: orAbsent(inner),
});

function nested<Condition>(
  schemaOf: (inner: z.ZodType<Condition>) => z.ZodType<Condition>,
  level = 1,
): z.ZodType<Condition> {
  const isDeepest = level === levelsMax;
  return schemaOf(isDeepest ? z.never(issue('NESTED_TOO_DEEP', { max: levelsMax })) : nested(schemaOf, level + 1));
}

export interface Nesting<Condition> {
  readonly and?: readonly Condition[] | undefined;
  readonly or?: readonly Condition[] | undefined;
  readonly not?: Condition | undefined;
}

const programLeaf = z.object(programConditions);
const branchLeaf = z.object(branchConditions);
export interface ProgramCondition extends z.output<typeof programLeaf>, Nesting<ProgramCondition> {}
export interface BranchCondition extends z.output<typeof branchLeaf>, Nesting<BranchCondition> {}

const programNesting = combined(
  nested<ProgramCondition>((inner) => z.strictObject({ ...programConditions, ...combined(inner) })),
);
const branchNesting = combined(
  nested<BranchCondition>((inner) => z.strictObject({ ...branchConditions, ...combined(inner) })),
);

const searchMax = 255;
const searches = {
  search: orAbsent(multiLine('search', { max: searchMax })).describe(
    'Name or code contains every word, ignoring case and accents; when nothing does, every word or one that is similar to it.',
  ),
  searchAttributes: flag.describe(
    'Whether `search` also matches the values of attributes, with `searchBranches` those of the branches too. False when absent.',
  ),
  deleted: flag.describe(
    'Deleted records instead of those that exist. Requires the permission to restore them, `programs:write`.',
  ),
};

/** The fields of filters, without `and`, `or` and `not`. */
export const programFilterFields = {
  ...searches,
  searchBranches: flag.describe(
    'Whether `search` also matches the names and codes of the branches. False when absent.',
  ),
  ...programConditions,
};
export const branchFilterFields = { ...searches, ...branchConditions };

export const programFilter = z.object({ ...programFilterFields, ...programNesting });
export type ProgramFilter = z.output<typeof programFilter>;

export const branchFilter = z.object({ ...branchFilterFields, ...branchNesting });
export type BranchFilter = z.output<typeof branchFilter>;

export const noBranchFilter: BranchFilter = branchFilter.parse({});
export const noProgramFilter: ProgramFilter = programFilter.parse({});

type AnyCondition = Pick<ProgramCondition, 'attributes'> & Nesting<AnyCondition>;

/** All conditions within others. */
export const nestedIn = <Condition extends Nesting<Condition>>({
  and = [],
  or = [],
  not,
}: Nesting<Condition>): Condition[] =>
  [...and, ...or, ...(not === undefined ? [] : [not])].flatMap((condition) => [condition, ...nestedIn(condition)]);

/** Fields that read other tables for each record, and the number of conditions that take as long. */
const dearFields: readonly string[] = [
  'hasProblem',
  'hasBranches',
  'minBranches',
  'maxBranches',
  'years',
  'yearCounts',
  'minYears',
  'maxYears',
];
const dearCount = 7;

const countIn = ({ and: _and, or: _or, not: _not, attributes = [], ...fields }: AnyCondition): number =>
  Object.entries(fields).reduce(
    (sum, [name, value]) => sum + (value === undefined ? 0 : dearFields.includes(name) ? dearCount : 1),
    attributes.length,
  );

/** Reports a filter that would take too long; attributes of the filter itself with one exact value are found by index. */
export function limitConditions(filter: AnyCondition, context: z.RefinementCtx): void {
  const compared = filter.attributes?.filter(({ value }) => value === undefined) ?? [];
  const count = nestedIn(filter).reduce((sum, condition) => sum + Math.max(1, countIn(condition)), compared.length);
  if (count <= conditionsMax) return;
  const message = issue('TOO_MANY_CONDITIONS', { max: conditionsMax, dear: dearCount });
  context.addIssue({ code: 'custom', path: ['filter'], message });
}
