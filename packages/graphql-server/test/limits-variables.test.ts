import { describe, expect, it } from 'vitest';
import { useBookServer } from './support/server.ts';

const server = useBookServer();

/** The message of the limit that rejects a request, if any. */
async function errorOf(query: string, variables: object): Promise<string | undefined> {
  const { body, status } = await server.graphql(query, variables);
  if (body.errors === undefined) return undefined;
  expect(status).toBe(400);
  expect(body).toEqual({ errors: [expect.objectContaining({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })] });
  return body.errors[0].message;
}

describe('the variables of a request', () => {
  const filtered = 'query ($f: BookFilter) { books(filter: $f) { count } }';
  const create = 'mutation ($input: CreateBookInput!) { createBook(input: $input) { id } }';
  const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  const errorsOf = async (query: string, variables: object) => (await server.graphql(query, variables)).body.errors;

  it('may have at most 5000 values', async () => {
    const message = 'The variables have more than 5000 values. Send them in several requests.';
    expect(await errorOf(filtered, { other: wide(4_999) })).toBeUndefined();
    expect(await errorOf(filtered, { other: wide(5_000) })).toBe(message);
    expect(await errorOf(filtered, { a: Array(2_500).fill([]), b: wide(2_499) })).toBe(message);
  });

  it('may have more of a field that takes long lists, alone in its operation', async () => {
    const more = 'The variables have more than 6000 values. Send them in several requests.';
    expect((await errorsOf(create, { input: wide(5_998) }))[0].message).not.toBe(more);
    expect(await errorOf(create, { input: wide(6_000) })).toBe(more);
    const both = create.replace('{ createBook', '{ __typename createBook');
    expect(await errorOf(both, { input: wide(5_000) })).toMatch('more than 5000 values');
  });

  it('may be nested at most 25 levels deep', async () => {
    expect(await errorOf(filtered, { other: nested(25) })).toBeUndefined();
    expect(await errorOf(filtered, { other: nested(26) })).toBe('The variables are nested more than 25 levels deep.');
  });

  it('get only the first five errors, which quote only the beginning of the input', async () => {
    const errors = await errorsOf(create, { input: wide(4_000) });
    expect(errors).toHaveLength(6);
    expect(errors.at(-1)).toEqual({
      message: 'Too many errors processing variables, error limit reached. Execution aborted.',
      extensions: { code: 'BAD_USER_INPUT' },
    });
    for (const { message, extensions } of errors) {
      expect(message.length).toBeLessThan(1_100);
      expect(extensions).toEqual({ code: 'BAD_USER_INPUT' });
    }
  });

  it.each<[string, object, string]>([
    [
      filtered,
      { f: { search: 7 } },
      '$f" got invalid value 7 at "f.search"; String cannot represent a non string value: 7',
    ],
    [
      filtered,
      { f: { ids: [1, 'x'] } },
      '$f" got invalid value "x" at "f.ids[1]"; Int cannot represent non-integer value: "x"',
    ],
    [filtered, { f: [] }, '$f" got invalid value []; Expected type "BookFilter" to be an object.'],
    [create, {}, '$input" of required type "CreateBookInput!" was not provided.'],
    [create, { input: null }, '$input" of non-null type "CreateBookInput!" must not be null.'],
    [
      create,
      { input: { name: 'x' } },
      '$input" got invalid value { name: "x" }; Field "price" of required type "String!" was not provided.',
    ],
  ])('get the standard GraphQL error: %s %j', async (query, variables, message) => {
    expect(await errorsOf(query, variables)).toEqual([
      { message: `Variable "${message}`, locations: expect.any(Array), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it.each([
    ['a value', filtered, { f: { createdSince: 'x'.repeat(90_000) } }],
    ['an enumeration', 'query ($o: BookOrder) { books(orderBy: $o) { count } }', { o: 'X'.repeat(90_000) }],
    ['a name', filtered, { f: { ['x'.repeat(90_000)]: 1 } }],
    ['a field', `{ ${'x'.repeat(39_000)} }`, {}],
    ['a text', `{ "${'x'.repeat(39_000)}" }`, {}],
  ])('get an error that quotes only the beginning of %s', async (_what, query, variables) => {
    const { text } = await server.graphql(query, variables);
    expect(text.length).toBeLessThan(2_000);
  });
});
