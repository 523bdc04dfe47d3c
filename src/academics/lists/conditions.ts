import { Prisma } from '../../generated/prisma/client.ts';
import type { RecordKind } from '../kinds.ts';
import type { AttributeCondition } from '../rules/attributes.ts';
import type { Nesting, ProgramCondition } from '../rules/filters.ts';
import { hasAttributeProblem } from './attribute-problems.ts';

/** The SQL of each field of a filter. A field that has none is an error of types. */
export type FieldConditions<Fields> = {
  readonly [Name in Exclude<keyof Fields, keyof Nesting<Fields>>]-?: (
    value: NonNullable<Fields[Name]>,
  ) => Prisma.Sql | readonly Prisma.Sql[];
};

/** The conditions of a filter and of those within it, of which all must be true. */
export function conditionsBy<Fields extends Nesting<Fields>>(
  table: FieldConditions<Fields>,
  filter: Fields,
): Prisma.Sql[] {
  const ofField = <Name extends keyof FieldConditions<Fields>>(name: Name): Prisma.Sql | readonly Prisma.Sql[] => {
    const value = filter[name];
    return value === undefined || value === null ? [] : table[name](value);
  };
  const within = (inner: Fields): Prisma.Sql => Prisma.sql`(${joined(conditionsBy(table, inner), 'AND')})`;
  const { and = [], or, not } = filter;
  const names = Object.keys(table) as (keyof FieldConditions<Fields>)[];
  return [
    ...names.flatMap(ofField),
    ...and.map(within),
    ...(or === undefined ? [] : [Prisma.sql`(${joined(or.map(within), 'OR')})`]),
    // A condition on a value that is not there is neither true nor false.
    ...(not === undefined ? [] : [Prisma.sql`${within(not)} IS NOT TRUE`]),
  ];
}

function joined(conditions: readonly Prisma.Sql[], by: 'AND' | 'OR'): Prisma.Sql {
  return conditions.length === 0 ? Prisma.raw(by === 'AND' ? 'TRUE' : 'FALSE') : Prisma.join(conditions, ` ${by} `);
}

type RecordField =
  | 'codes'
  | 'hasCode'
  | 'attributes'
  | 'hasProblem'
  | 'createdSince'
  | 'createdBefore'
  | 'updatedSince'
  | 'updatedBefore';

export const recordConditions = (kind: RecordKind): Pick<FieldConditions<ProgramCondition>, RecordField> => ({
  codes: (codes) => Prisma.sql`code = ANY (${codes}::text[])`,
  hasCode: (isWanted) => hasText(Prisma.sql`code`, isWanted),
  attributes: (wanted) => attributeConditions(kind, wanted),
  hasProblem: (isWanted) => inCase(isWanted, hasAttributeProblem(kind)),
  createdSince: (time) => Prisma.sql`created_at >= ${time}`,
  createdBefore: (time) => Prisma.sql`created_at < ${time}`,
  updatedSince: (time) => Prisma.sql`updated_at >= ${time}`,
  updatedBefore: (time) => Prisma.sql`updated_at < ${time}`,
});

const inCase = (isWanted: boolean, condition: Prisma.Sql): Prisma.Sql =>
  isWanted ? condition : Prisma.sql`NOT ${condition}`;

/** An optional text has a value, or none. */
export const hasText = (column: Prisma.Sql, isWanted: boolean): Prisma.Sql =>
  Prisma.sql`(${column} <> '') IS ${Prisma.raw(isWanted ? 'TRUE' : 'NOT TRUE')}`;

/** Single values by index, and the keys that a record must not have, all at once. */
function attributeConditions(kind: RecordKind, wanted: readonly AttributeCondition[]): Prisma.Sql[] {
  const exact = wanted.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const]));
  const absent = wanted.flatMap(({ key, hasValue }) => (hasValue === false ? key : []));
  return [
    ...(exact.length === 0 ? [] : [Prisma.sql`attributes @> ${JSON.stringify(Object.fromEntries(exact))}::jsonb`]),
    ...(absent.length === 0 ? [] : [Prisma.sql`NOT attributes ?| ${absent}::text[]`]),
    ...wanted.flatMap(({ key, values, hasValue, hasProblem, from, to }) => [
      ...(values === undefined ? [] : [Prisma.sql`attributes ->> ${key} = ANY (${values}::text[])`]),
      ...(hasProblem === undefined ? [] : [inCase(hasProblem, hasAttributeProblem(kind, key))]),
      ...(hasValue === true ? [Prisma.sql`attributes ? ${key}`] : []),
      ...(from === undefined && to === undefined ? [] : [inRange({ key, from, to })]),
    ]),
  ];
}

/** In the order of lists; one bound alone is that of its kind, of numbers or of other texts. */
function inRange({ key, from, to }: Pick<AttributeCondition, 'key' | 'from' | 'to'>): Prisma.Sql {
  const value = Prisma.sql`(sorted_attributes ->> ${key}) COLLATE "C"`;
  const keyOf = (bound: string | undefined): Prisma.Sql => Prisma.sql`attribute_key(${bound})`;
  const first = from === undefined ? Prisma.sql`left(${keyOf(to)}, 1)` : keyOf(from);
  const end =
    to === undefined ? Prisma.sql`left(${keyOf(from)}, 1) || U&'\\+10FFFF'` : Prisma.sql`${keyOf(to)} || E'\\x02'`;
  return Prisma.sql`(${value} >= ${first} AND ${value} < ${end})`;
}
