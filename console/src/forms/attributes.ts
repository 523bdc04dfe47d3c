import type { RecordKind } from '../api/event-stream.ts';

/** Prefix of the fields of attributes in a form: `attributes.level`. An empty value removes the attribute. */
export const attributePrefix = 'attributes.';

export interface Attribute {
  readonly key: string;
  readonly value: string;
}

export const attributeFields = (attributes: readonly Attribute[]): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [attributePrefix + key, value]));

/** The column of a file that has a field: `program_name`, `branch_attr:level`. */
export const fileColumnOf = (kind: RecordKind, field: string): string =>
  `${kind.toLowerCase()}_${field.replace(attributePrefix, 'attr:')}`;

/** The value of a field in a record as the audit log has it. */
export const valueIn = (state: unknown, field: string): unknown =>
  field.startsWith(attributePrefix)
    ? memberOf(memberOf(state, 'attributes'), field.slice(attributePrefix.length))
    : memberOf(state, field);

const memberOf = (state: unknown, name: string): unknown =>
  typeof state === 'object' && state !== null ? Object.entries(state).find(([one]) => one === name)?.[1] : undefined;

/** Fields with whole numbers, of which a form may have the text. */
const numbers = ['years'] as const;
type NumberName = (typeof numbers)[number];

type SentNumber<Value> = Exclude<Value, string> | (Extract<Value, string> extends never ? never : number | null);
type Sent<Values> = { [Name in keyof Values]: Name extends NumberName ? SentNumber<Values[Name]> : Values[Name] };

const sent = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string' || !numbers.some((number) => number === name)) return value;
  return value === '' ? null : Number(value);
};

/** The input of a mutation: attributes as a list, numbers as numbers, the other fields as they are. */
export function withAttributes<Values extends Readonly<Record<string, string | number | boolean | undefined>>>(
  values: Values,
) {
  const entries = Object.entries(values);
  const attributes = entries
    .filter(([name]) => name.startsWith(attributePrefix))
    .map(([name, value]) => ({ key: name.slice(attributePrefix.length), value: value === '' ? null : String(value) }));
  const others = Object.fromEntries(
    entries.flatMap(([name, value]) => (name.startsWith(attributePrefix) ? [] : [[name, sent(name, value)]])),
  );
  return { ...(others as Sent<Values>), ...(attributes.length > 0 && { attributes }) };
}
