import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  getNamedType,
  isEnumType,
  isIntrospectionType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { printedSchema } from '../../src/doors/graphql/schema.ts';

const [pascalCase, camelCase, upperCase] = [/^[A-Z][A-Za-z0-9]*$/, /^[a-z][A-Za-z0-9]*$/, /^[A-Z][A-Z0-9_]*$/];
/** What the Cursor Connections specification asks of types by the end of their names, and of the fields that return them. */
const relay: readonly (readonly [name: RegExp, fields: readonly string[], args: readonly string[]])[] = [
  [/Connection$/, ['edges', 'pageInfo'], ['first', 'after']],
  [/Edge$/, ['node', 'cursor'], []],
];

interface Named {
  readonly name: string;
  readonly description?: string | null | undefined;
}

/** What has no description or a name in another style, repeats its type's name, or is not as Relay wants it. */
function problemsOf(text: string): string[] {
  const problems: string[] = [];
  const look = (at: string, { name, description }: Named, style: RegExp) => {
    if (!description) problems.push(`${at} has no description`);
    if (!style.test(name)) problems.push(`${at} is named in another style`);
  };
  const lack = (at: string, has: readonly Named[], wanted: readonly string[] = []) => {
    for (const name of wanted) if (!has.some((one) => one.name === name)) problems.push(`${at} lacks ${name}`);
  };
  for (const type of Object.values(buildSchema(text).getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    look(type.name, type, pascalCase);
    if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value, upperCase);
    const fields: (GraphQLField<unknown, unknown> | GraphQLInputField)[] =
      'getFields' in type ? Object.values(type.getFields()) : [];
    lack(type.name, fields, relay.find(([name]) => name.test(type.name))?.[1]);
    for (const field of fields) {
      const at = `${type.name}.${field.name}`;
      look(at, field, camelCase);
      if (field.name.toLowerCase().startsWith(type.name.toLowerCase()))
        problems.push(`${at} repeats the name of its type`);
      if (!('args' in field)) continue;
      for (const argument of field.args) look(`${at}(${argument.name}:)`, argument, camelCase);
      const returned = getNamedType(field.type).name;
      lack(at, field.args, relay.find(([name]) => name.test(returned))?.[2]);
    }
  }
  return problems;
}

describe('the schema', () => {
  it('has descriptions, names in one style, and connections as Relay wants them', () => {
    // `id` is the integer of REST, so that the identifier of Relay's `Node` has another name.
    expect(problemsOf(printedSchema())).toEqual(['Node.nodeId repeats the name of its type']);
  });

  it.each([
    ['Mood.cheerful is named in another style', '"""An enum."""\nenum Mood {\n  """Good."""\n  cheerful\n}'],
    ['Mood has no description', 'type Mood {\n  """Its level."""\n  level: Int!\n}'],
    ['MoodConnection lacks edges', '"""Moods."""\ntype MoodConnection {\n  """Moods."""\n  items: [Int!]!\n}'],
    ['Mood.all lacks first', '"""A mood."""\ntype Mood {\n  """All."""\n  all: ProgramConnection\n}'],
  ])('would be found: %s', (problem, addition) => {
    expect(problemsOf(`${printedSchema()}\n${addition}\n`)).toContain(problem);
  });
});
