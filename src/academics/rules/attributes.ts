import { z } from 'zod';
import { orAbsent } from '../../validation/optional.ts';
import { issue } from '../../validation/problems.ts';
import { singleLine } from '../../validation/text.ts';

export const attributesMax = 50;
/** Twice the limit, so that all attributes of a record can be replaced at once. */
const changesMax = 2 * attributesMax;

/** Values by key, as they are stored. */
export type Attributes = Readonly<Record<string, string>>;

/** Values to set by key; `null` removes an attribute. */
export type AttributeChanges = Readonly<Record<string, string | null>>;

const keyForm = /^[A-Za-z0-9_.-]{1,40}$/;
/** Whether a text may be the key of an attribute (`docs/contract.md` 5). */
export const isAttributeKey = (key: string): boolean => keyForm.test(key);

/** Keys that are reserved, for names and descriptions in other languages; PostgreSQL reads this pattern, too. */
export const reservedKey = /^(?:name|description)\./;
export const isReservedKey = (key: string): boolean => reservedKey.test(key);

export const attributeKey = z
  .string(issue('NOT_TEXT', { field: 'key' }))
  .refine(isAttributeKey, issue('INVALID_KEY', { field: 'key' }));

/** Characters of a value. */
export const attributeValueMax = 500;
export const attributeValue = singleLine('value', { min: 1, max: attributeValueMax });

const attribute = z.object({
  key: attributeKey,
  value: attributeValue.nullish().transform((value) => value ?? null),
});

type Attribute = z.output<typeof attribute>;

/** `fromEntries` defines own properties, which is safe for a key named `__proto__`. */
const byKey = (list: readonly Attribute[]): AttributeChanges =>
  Object.fromEntries(list.map(({ key, value }) => [key, value]));

const listOf = <Item extends z.ZodType<{ readonly key: string }>>(item: Item, max: number) =>
  z
    .array(item)
    .max(max, issue('TOO_MANY', { field: 'attributes', max }))
    .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, {
      error: issue('REPEATED_KEY', { field: 'attributes' }),
      // Checks lists with other problems too: all are reported at once.
      when: ({ value }) => Array.isArray(value),
    });

/** Attributes of a new record; absent where none are given, as over REST, which has none. */
export const newAttributes = orAbsent(listOf(attribute, attributesMax).transform((list) => withoutNulls(byKey(list))));

/** The attributes that are set, without those that are removed. */
export const withoutNulls = (changes: AttributeChanges): Attributes =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])),
  );

export const attributeChanges = orAbsent(listOf(attribute, changesMax).transform(byKey));

/** Keys whose retired choices a bulk change replaces by their successors. */
export const replacedRetired = orAbsent(
  z.array(attributeKey).max(attributesMax, issue('TOO_MANY', { field: 'replaceRetired', max: attributesMax })),
);

/** Each is compared in each record. */
const valuesMax = 100;

const attributeCondition = z
  .object({
    key: attributeKey,
    value: orAbsent(attributeValue),
    values: orAbsent(z.array(attributeValue).max(valuesMax, issue('TOO_MANY', { field: 'values', max: valuesMax }))),
    hasValue: orAbsent(z.boolean()),
    hasProblem: orAbsent(z.boolean()),
    from: orAbsent(attributeValue),
    to: orAbsent(attributeValue),
  })
  .transform(({ key, ...conditions }) => {
    const isKeyAlone = Object.values(conditions).every((condition) => condition === undefined);
    return isKeyAlone ? { key, ...conditions, hasValue: false } : { key, ...conditions };
  });
export type AttributeCondition = z.output<typeof attributeCondition>;

/** What attributes of a record must be; a key alone: one that it must not have. */
export const attributesFilter = orAbsent(listOf(attributeCondition, attributesMax)).describe(
  `All of these attributes match: at most ${attributesMax}.`,
);

const entries = z.array(z.tuple([z.string(), z.string()]));

/** Attributes in the form of the database. `z.record` would leave out a key named `__proto__`. */
export const storedAttributes = z
  .unknown()
  .transform((stored): Attributes => Object.fromEntries(entries.parse(Object.entries(stored ?? {}))));
