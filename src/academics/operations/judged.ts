import type { FieldProblems } from '@service/errors/problems';
import type { Writing } from '../../operations/operation.ts';
import type { Reading } from '../../operations/request.ts';
import { problemNamed } from '../../validation/problems.ts';
import { validationFailed } from '../../validation/validate.ts';
import { DefinedAttributes } from '../definitions/defined-attributes.ts';
import { areCurrent, holdDefinitions, listDefinitions } from '../definitions/definitions.ts';
import type { RecordKind } from '../kinds.ts';
import { type AttributeChanges, type Attributes, withoutNulls } from '../rules/attributes.ts';
import type { ChangeContext } from '../sql/writes/apply.ts';
import type { Successors } from '../sql/writes/change-records.ts';

interface Judging extends Writing {
  readonly dryRun?: boolean;
}

/**
 * The definitions that judge a change of some keys; the choices that it may set are not removed until it ends, unless it is
 * a dry run, which sets none.
 */
async function definitionsOf(
  { request, tx, dryRun = false }: Judging,
  kind: RecordKind,
  keys: readonly string[],
): Promise<DefinedAttributes> {
  const defined = await request.app.definitions.read({ request, db: tx });
  const isCurrent = await (dryRun ? areCurrent : holdDefinitions)(tx, defined.withChoices(kind, keys));
  return isCurrent ? defined : new DefinedAttributes(await listDefinitions(tx));
}

/**
 * The context of a change of which nothing is left to refuse: it sets no attributes, they are judged already, or it brings
 * back what was there (`docs/contract.md` 13).
 */
export const withoutRefusals = ({ tx, actor }: Pick<Writing, 'tx' | 'actor'>): ChangeContext => ({
  tx,
  actor,
  refusals: [],
});

interface Updated {
  readonly attributes?: AttributeChanges | undefined;
}

/** An update with its values as they are stored, and its context with what the definitions refuse of it. */
export async function judgedUpdate<Update extends Updated>(writing: Judging, kind: RecordKind, update: Update) {
  const context = withoutRefusals(writing);
  if (update.attributes === undefined) return { context, update };
  const defined = await definitionsOf(writing, kind, Object.keys(update.attributes));
  const { attributes, refusals } = defined.judge(kind, update.attributes, 'form');
  return { context: { ...context, refusals }, update: { ...update, attributes } };
}

/** The successors of retired choices, by key; `undefined` when none are asked for. */
export async function successorsOf(
  writing: Judging,
  kind: RecordKind,
  keys: readonly string[] | undefined,
): Promise<Successors | undefined> {
  if (keys === undefined) return undefined;
  const defined = await definitionsOf(writing, kind, keys);
  return Object.fromEntries(keys.map((key) => [key, defined.successors(kind, key)]));
}

interface New {
  readonly attributes?: Attributes | undefined;
}

const keysOf = ({ attributes = {} }: New): string[] => Object.keys(attributes);

/** Whether a new record sets attributes that have choices. */
export async function setsChoices({ request, db }: Reading, kind: RecordKind, record: New): Promise<boolean> {
  const keys = keysOf(record);
  if (keys.length === 0) return false;
  return (await request.app.definitions.read({ request, db })).withChoices(kind, keys).length > 0;
}

type Whole<Input> = Omit<Input, 'attributes'> & { readonly attributes: Attributes };

interface JudgedNew<Input> {
  readonly problems: FieldProblems;
  readonly record: Whole<Input>;
}

/**
 * A new record with all its attributes, as these are stored, and what the definitions reject of it, by field.
 * @param at says where it is in the input: `items[3].`.
 */
function judgeNew<Input extends New>(
  defined: DefinedAttributes,
  kind: RecordKind,
  { attributes: values = {}, ...fields }: Input,
  at = '',
): JudgedNew<Input> {
  const { attributes, refusals } = defined.judgeNew(kind, values);
  const problems: FieldProblems = {};
  for (const { rule, details } of refusals) {
    const field = `${at}${details['field']}`;
    problems[field] = [...(problems[field] ?? []), problemNamed(rule, details)];
  }
  return { problems, record: { ...fields, attributes: withoutNulls(attributes) } };
}

const judgeItems = <Input extends New>(defined: DefinedAttributes, kind: RecordKind, items: readonly Input[]) =>
  items.map((item, index) => judgeNew(defined, kind, item, `items[${index}].`));

const problemsIn = (judged: readonly JudgedNew<New>[]): FieldProblems =>
  Object.assign({}, ...judged.map(({ problems }) => problems));

/** The definitions that judge new records before these share a statement; within a document, they are judged in it. */
async function definitionsBefore(reading: Reading): Promise<DefinedAttributes | undefined> {
  const { request, open } = reading;
  if (!request.requiresAttributes || open !== undefined) return undefined;
  return request.app.definitions.read(reading);
}

/** What definitions reject of a new record. */
export async function problemsOfNew(reading: Reading, kind: RecordKind, record: New): Promise<FieldProblems> {
  const defined = await definitionsBefore(reading);
  return defined === undefined ? {} : judgeNew(defined, kind, record).problems;
}

/** The same of the items of a list. */
export async function problemsOfItems(
  reading: Reading,
  kind: RecordKind,
  items: readonly New[],
): Promise<FieldProblems> {
  const defined = await definitionsBefore(reading);
  return defined === undefined ? {} : problemsIn(judgeItems(defined, kind, items));
}

/** A new record with all its attributes, as these are stored. @throws ServiceError `VALIDATION_FAILED`. */
export async function judgedNew<Input extends New>(writing: Writing, kind: RecordKind, input: Input) {
  const defined = await definitionsOf(writing, kind, keysOf(input));
  const { problems, record } = judgeNew(defined, kind, input);
  requireNone(writing, problems);
  return record;
}

/** The same of the items of a list. */
export async function judgedItems<Input extends New>(writing: Writing, kind: RecordKind, items: readonly Input[]) {
  const judged = judgeItems(await definitionsOf(writing, kind, items.flatMap(keysOf)), kind, items);
  requireNone(writing, problemsIn(judged));
  return judged.map(({ record }) => record);
}

function requireNone({ request }: Writing, problems: FieldProblems): void {
  if (request.requiresAttributes && Object.keys(problems).length > 0) throw validationFailed(problems);
}
