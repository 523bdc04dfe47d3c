import type { FieldProblems } from '@service/errors/problems';
import type { Writing } from '../../operations/operation.ts';
import type { Reading } from '../../operations/request.ts';
import { problemNamed } from '../../validation/problems.ts';
import { validationFailed } from '../../validation/validate.ts';
import type { DefinedAttributes } from '../definitions/defined-attributes.ts';
import type { RecordKind } from '../kinds.ts';
import { type AttributeChanges, type Attributes, withoutNulls } from '../rules/attributes.ts';
import type { Change } from '../sql/writes/apply.ts';
import type { Successors } from '../sql/writes/write-records.ts';

const definitionsOf = ({ request, tx }: Writing): Promise<DefinedAttributes> =>
  request.app.definitions.read({ request, db: tx });

/** A change by a request that sets no attributes: what it deletes, brings back or copies is refused by no definition. */
export const changeOf = ({ tx, actor }: Pick<Writing, 'tx' | 'actor'>): Change => ({ tx, actor, rules: [] });

interface Updated {
  readonly attributes?: AttributeChanges | undefined;
}

/** An update with its values as they are stored, and the change with what the definitions refuse of it. */
export async function judgedUpdate<Update extends Updated>(writing: Writing, kind: RecordKind, update: Update) {
  const change = changeOf(writing);
  if (update.attributes === undefined) return { change, update };
  const { attributes, refusals } = (await definitionsOf(writing)).judge(kind, update.attributes, 'form');
  return { change: { ...change, rules: refusals }, update: { ...update, attributes } };
}

/** The successors of retired choices, by key; `undefined` when none are asked for. */
export async function successorsOf(
  writing: Writing,
  kind: RecordKind,
  keys: readonly string[] | undefined,
): Promise<Successors | undefined> {
  if (keys === undefined) return undefined;
  const defined = await definitionsOf(writing);
  return Object.fromEntries(keys.map((key) => [key, defined.successors(kind, key)]));
}

interface New {
  readonly attributes?: Attributes | undefined;
}

/** Where a record is in the input. */
type Place = (index: number) => string;
const alone: Place = () => '';
export const atItem: Place = (index) => `items[${index}].`;

/** What definitions refuse of new records, by field. */
function refusedOf(defined: DefinedAttributes, kind: RecordKind, records: readonly New[], at: Place): FieldProblems {
  const problems: FieldProblems = {};
  for (const [index, { attributes = {} }] of records.entries()) {
    for (const { rule, details } of defined.judgeNew(kind, attributes).refusals) {
      const field = `${at(index)}${details['field']}`;
      problems[field] = [...(problems[field] ?? []), problemNamed(rule, details)];
    }
  }
  return problems;
}

/** What definitions refuse of new records, before these share a statement; within a document, they are judged in it. */
export async function problemsOfNew(
  reading: Reading,
  kind: RecordKind,
  records: readonly New[],
  at = alone,
): Promise<FieldProblems> {
  const { request, open } = reading;
  if (!request.requiresAttributes || open !== undefined) return {};
  return refusedOf(await request.app.definitions.read(reading), kind, records, at);
}

type Whole<Given> = Omit<Given, 'attributes'> & { readonly attributes: Attributes };

/** A new record with all its attributes, as these are stored. @throws ServiceError `VALIDATION_FAILED`. */
export async function judgedNew<Given extends New>(writing: Writing, kind: RecordKind, record: Given) {
  const defined = await definitionsOf(writing);
  requireNone(writing, refusedOf(defined, kind, [record], alone));
  return whole(defined, kind, record);
}

/** The same of the items of a list. */
export async function judgedItems<Given extends New>(writing: Writing, kind: RecordKind, items: readonly Given[]) {
  const defined = await definitionsOf(writing);
  requireNone(writing, refusedOf(defined, kind, items, atItem));
  return items.map((item) => whole(defined, kind, item));
}

function requireNone({ request }: Writing, problems: FieldProblems): void {
  if (request.requiresAttributes && Object.keys(problems).length > 0) throw validationFailed(problems);
}

const whole = <Given extends New>(
  defined: DefinedAttributes,
  kind: RecordKind,
  { attributes = {}, ...fields }: Given,
): Whole<Given> => ({ ...fields, attributes: withoutNulls(defined.judge(kind, attributes, 'form').attributes) });
