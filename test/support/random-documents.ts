import {
  astFromValue,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  print,
} from 'graphql';

/** A query, its variables, and the same query with a last field that only resolvers give. */
export interface RandomQuery {
  readonly query: string;
  readonly resolved: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Random {
  below(limit: number): number;
  /** Whether something happens that happens once in so many times. */
  once(times: number): boolean;
  one<Item>(items: readonly Item[]): Item;
}

/** The same for the same seed. */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    below,
    once: (times) => below(times) === 0,
    one: (items) => items[below(items.length)] ?? unreachable(),
  };
}

function unreachable(): never {
  throw new Error('There is nothing to choose from.');
}

/** Values by the name of an argument or of its type, some of which records have. */
export type Values = Readonly<Record<string, readonly unknown[]>>;

export const fieldOfResolvers = 'zz: ping { status }';

/** Draws a query of these root fields, in any spelling, from the schema. */
export function randomQuery(
  seed: number,
  roots: readonly GraphQLField<unknown, unknown>[],
  query: GraphQLObjectType,
  values: Values,
): RandomQuery {
  const random = randomOf(seed);
  const { below, once, one } = random;
  const fragments: string[] = [];
  const declared: string[] = [];
  const variables: Record<string, unknown> = {};
  let names = 0;
  const newName = (prefix: string): string => {
    names += 1;
    return prefix + names;
  };

  const valueFor = (name: string, type: GraphQLInputType): unknown => {
    if (!isNonNullType(type) && once(12)) return null;
    const inner = getNullableType(type);
    const known = values[name];
    if (known !== undefined) return one(known);
    if (isListType(inner)) return Array.from({ length: below(4) }, () => valueFor(`of ${name}`, inner.ofType));
    if (isEnumType(inner)) return one(inner.getValues()).value;
    if (isInputObjectType(inner)) {
      const fields = Object.values(inner.getFields()).filter(({ type: given }) => isNonNullType(given) || once(7));
      return Object.fromEntries(fields.map((field) => [field.name, valueFor(field.name, field.type)]));
    }
    return one(values[inner.toString()] ?? unreachable());
  };

  /** As a variable, with or without a default, or as a literal. */
  const spelled = (value: unknown, type: GraphQLInputType): string => {
    const literal = (): string => print(astFromValue(value, type) ?? unreachable());
    if (once(2)) return literal();
    const name = newName('v');
    const [given, defaulted] = one([
      [true, false],
      [true, false],
      [true, true],
      [false, true],
      [false, false],
    ]);
    const isNeeded = isNonNullType(type) && !defaulted;
    declared.push(`$${name}: ${type}${defaulted && value !== null ? ` = ${literal()}` : ''}`);
    if (given || isNeeded) variables[name] = value;
    return `$${name}`;
  };

  const condition = (): string => {
    if (!once(8)) return '';
    const isTrue = once(2);
    if (once(2)) return ` @${one(['skip', 'include'])}(if: ${isTrue})`;
    const name = newName('c');
    declared.push(`$${name}: Boolean! = ${once(2)}`);
    if (once(2)) variables[name] = isTrue;
    return ` @${one(['skip', 'include'])}(if: $${name})`;
  };

  const argumentsOf = ({ args }: GraphQLField<unknown, unknown>): string => {
    const given = args.filter(({ type }) => isNonNullType(type) || once(2));
    if (given.length === 0) return '';
    return `(${given.map(({ name, type }) => `${name}: ${spelled(valueFor(name, type), type)}`).join(', ')})`;
  };

  const fieldFor = (field: GraphQLField<unknown, unknown>, depth: number): string[] => {
    const given = argumentsOf(field);
    const alias = once(4) || given !== '' ? `${newName('a')}: ` : '';
    const type = getNamedType(field.type);
    // The same field twice, which is merged.
    const times = once(10) ? 2 : 1;
    return Array.from({ length: times }, () => {
      const inner = isObjectType(type) ? ` ${selectionFor(type, depth + 1)}` : '';
      return `${alias}${field.name}${given}${condition()}${inner}`;
    });
  };

  const selectionFor = (type: GraphQLObjectType, depth: number): string => {
    const all = Object.values(type.getFields());
    const chosen = Array.from({ length: 1 + below(5) }, () => one(all)).filter(
      ({ type: given, args }) => (depth < 5 || !isObjectType(getNamedType(given))) && (args.length === 0 || once(3)),
    );
    const unique = [...new Set(chosen)].filter(
      ({ name }) => name !== 'history' && (name !== 'matchedBranches' || once(10)),
    );
    return wrapped(
      [...unique.flatMap((field) => fieldFor(field, depth)), ...(once(4) || unique.length === 0 ? ['__typename'] : [])],
      type,
    );
  };

  /** Some of the fields within fragments. */
  const wrapped = (fields: readonly string[], type: GraphQLObjectType): string => {
    const isNode = ({ name }: { readonly name: string }) => name === 'Node';
    const texts = fields.map((text) => {
      if (!once(6)) return text;
      const on = text === 'nodeId' && type.getInterfaces().some(isNode) && once(2) ? 'Node' : type.name;
      if (once(2)) return `...${once(2) ? ` on ${on}` : ''}${condition()} { ${text} }`;
      const name = newName('F');
      fragments.push(`fragment ${name} on ${on} { ${text} }`);
      return `...${name}${condition()}${once(4) ? ` ...${name}` : ''}`;
    });
    return `{ ${texts.join(' ')} }`;
  };

  const chosen = Array.from({ length: once(3) ? 1 + below(3) : 1 }, () => one(roots));
  const body = wrapped([...chosen.flatMap((field) => fieldFor(field, 0)), ...(once(12) ? ['__typename'] : [])], query);
  const head = `${fragments.join(' ')} query${declared.length === 0 ? '' : ` (${declared.join(', ')})`}`;
  return {
    query: `${head} ${body}`,
    resolved: `${head} ${body.slice(0, -1)}${fieldOfResolvers} }`,
    variables,
  };
}
