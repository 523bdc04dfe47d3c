import { Prisma } from '../../generated/prisma/client.ts';
import { type AttributeChanges, attributesMax, withoutNulls } from '../rules/attributes.ts';

/** Attributes with changes to them, of which `null` removes one: all of them are expressions in SQL. */
export const changedAttributes = (stored: string, changes: string): string =>
  `jsonb_strip_nulls(${stored} || coalesce(${changes}, '{}'))`;

/** A record with the values of a row, by column, and those of its attributes that the row does not name. */
export const withValues = (record: string, attributes: string, given: string): string =>
  `jsonb_populate_record(${record}, ${given} || jsonb_build_object('attributes',
    ${changedAttributes(attributes, `${given} -> 'attributes'`)}))`;

export const hasTooManyAttributes = (attributes: string): string =>
  `(SELECT count(*) FROM jsonb_object_keys(${attributes})) > ${attributesMax}`;

/** The conditions of a filter: what a record must have, by index, and the keys that it must not have. */
export function attributeConditions(wanted: AttributeChanges = {}): Prisma.Sql[] {
  const present = withoutNulls(wanted);
  const absent = Object.keys(wanted).filter((key) => wanted[key] === null);
  return [
    ...(Object.keys(present).length === 0 ? [] : [Prisma.sql`attributes @> ${JSON.stringify(present)}::jsonb`]),
    ...(absent.length === 0 ? [] : [Prisma.sql`NOT attributes ?| ${absent}::text[]`]),
  ];
}
