import { builder } from '../../../graphql/builder.ts';
import { attributesMax, storedAttributes } from '../../rules/attributes.ts';

export interface Attribute {
  readonly key: string;
  readonly value: string;
}

export const AttributeType = builder.objectRef<Attribute>('Attribute').implement({
  description: 'What the university has beside a name, such as the level, the campus or the intake.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Key of the attribute, which a record has once.' }),
    value: t.exposeString('value', { description: 'Value of the attribute.' }),
  }),
});

const keyDescription =
  'Key of the attribute: 1 to 40 letters (A-Z, a-z), digits, or one of `_`, `.` and `-`; another letter case is another key.';

export const AttributeInput = builder.inputType('AttributeInput', {
  description: 'An attribute to set or to remove.',
  fields: (t) => ({
    key: t.string({ required: true, description: keyDescription }),
    value: t.string({ description: 'Value: one line, 1 to 500 characters. `null` removes the attribute.' }),
  }),
});

export const AttributeFilter = builder.inputType('AttributeFilter', {
  description:
    'What an attribute of a record must be. All given conditions must match; a `key` alone, or with `value: null`: the record has no such attribute.',
  fields: (t) => ({
    key: t.string({ required: true, description: keyDescription }),
    value: t.string({ description: 'Value, exactly.' }),
    values: t.stringList({ description: 'Value is exactly one of these, at most 100.' }),
    hasValue: t.boolean({ description: 'Whether the record has an attribute with this key.' }),
    hasProblem: t.boolean({
      description:
        'Whether the record lacks the attribute although it is required, or has a value that its definition would refuse today.',
    }),
    from: t.string({
      description:
        'Value is this or comes after it in the order of lists, accents and case aside; when this is a number, it is a number, too.',
    }),
    to: t.string({
      description:
        'Value is this or comes before it in the order of lists, accents and case aside; when this is a number, it is a number, too.',
    }),
  }),
});

/** Descriptions of the fields of inputs and types. */
export const attributesDescriptions = {
  field: 'The attributes, ordered by key.',
  created: `Attributes, at most ${attributesMax}.`,
  changed: `Attributes to set, and with \`null\` to remove; others stay. A record has at most ${attributesMax}.`,
} as const;

/** Lists the attributes of a stored record, ordered by key. */
export function attributesOf({ attributes }: { readonly attributes: unknown }): Attribute[] {
  const entries = Object.entries(storedAttributes.parse(attributes));
  return entries.map(([key, value]) => ({ key, value })).sort((one, other) => (one.key < other.key ? -1 : 1));
}
