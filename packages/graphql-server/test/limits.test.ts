import { describe, expect, it } from 'vitest';
import { useBookServer } from './support/server.ts';

const server = useBookServer();

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** The message of the only error, if any; a rejected request must not have read anything. */
async function errorOf(query: string, variables: object = {}): Promise<string | undefined> {
  server.reads.length = 0;
  const { body, status } = await server.graphql(query, variables);
  if (body.errors === undefined) return undefined;
  expect({ status, reads: server.reads }).toEqual({ status: 400, reads: [] });
  expect(body).toEqual({ errors: [expect.objectContaining({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })] });
  return body.errors[0].message;
}

/** A document exactly at a limit, and one a single step past it. */
interface Bound {
  readonly at: string;
  readonly past: string;
  readonly message: string;
}

const idsOf = (count: number) => `books(filter: { ids: [${'1 '.repeat(count)}] }) { count }`;
const chain = (levels: number) => `{ __schema { types { ${'ofType { '.repeat(levels - 3)} name ${'}'.repeat(levels)}`;
const fragment = `fragment F on Book { ${'id '.repeat(18)} }`;
const expensive = `books(size: 100) {
  items {
    id
    authors {
      id name note prefix isLiving version createdAt updatedAt __typename
      works { id code year __typename }
      book { id name price code version createdAt updatedAt __typename }
    }
  }
  pageNumber pageSize totalPages count hasPreviousPage hasNextPage
}`;

const bounds: Record<string, Bound> = {
  characters: {
    at: '{ ping { status } }'.padEnd(40_000),
    past: '{ ping { status } }'.padEnd(40_001),
    message: 'The document is longer than 40000 characters. Send long values as variables.',
  },
  tokens: {
    at: `{ a: ${idsOf(983)} b: ${idsOf(983)} }`,
    past: `{ a: ${idsOf(983)} b: ${idsOf(984)} }`,
    message: 'The document has more than 2000 tokens. Split it into several requests.',
  },
  lines: {
    at: `{ ping { status }${'\n'.repeat(4_999)}}`,
    past: `{ ping { status }${'\n'.repeat(5_000)}}`,
    message: 'The document has more than 5000 lines. Remove empty ones.',
  },
  aliases: {
    at: `{ ${times(25, (index) => `a${index}: __typename b${index}: ping { status }`)} }`,
    past: `{ ${times(25, (index) => `a${index}: __typename b${index}: ping { status }`)} c: __typename }`,
    message: 'The document has more than 50 aliases. Split it into several requests.',
  },
  'aliases of __typename': {
    at: `{ ${times(50, (index) => `a${index}: __typename`)} }`,
    past: `{ ${times(51, (index) => `a${index}: __typename`)} }`,
    message: 'The document has more than 50 aliases. Split it into several requests.',
  },
  directives: {
    at: `{ ${times(30, (index) => `a${index}: __typename @include(if: true)`)} }`,
    past: `{ ${times(31, (index) => `a${index}: __typename @include(if: true)`)} }`,
    message: 'The document has more than 30 directives. Remove some of them.',
  },
  'directives in one place': {
    at: `{ ping { status @skip(if: false) } }`,
    past: `{ ping { status ${'@skip(if: false) '.repeat(31)} } }`,
    message: 'The document has more than 30 directives. Remove some of them.',
  },
  levels: {
    at: chain(15),
    past: chain(16),
    message: 'The document is more than 15 levels deep. Query deeper records by their ids.',
  },
  fields: {
    at: `{ ${times(50, (index) => `a${index}: book(id: 1) { ...F }`)} } ${fragment}`,
    past: `{ ${times(50, (index) => `a${index}: book(id: 1) { ...F }`)} __typename } ${fragment}`,
    message: 'The document has more than 1000 fields, counting those of a fragment at each spread. Request fewer.',
  },
  repeats: {
    at: `{ ping { ${'status '.repeat(20)} } }`,
    past: `{ ping { ${'status '.repeat(21)} } }`,
    message: 'The field "status" is repeated more than 20 times in one place. Select it once.',
  },
  'repeats that are only merged': {
    at: `{ ${'ping { status status } '.repeat(10)} }`,
    past: `{ ${'ping { status status } '.repeat(10)} ping { status } }`,
    message: 'The field "status" is repeated more than 20 times in one place. Select it once.',
  },
  'repeats in fragments': {
    at: `{ ping { ${'...F ... { status } '.repeat(10)} } } fragment F on Ping { status }`,
    past: `{ ping { ${'...F ... { status } '.repeat(10)} ...F } } fragment F on Ping { status }`,
    message: 'The field "status" is repeated more than 20 times in one place. Select it once.',
  },
  cost: {
    at: `{ ${expensive} ${times(49, (index) => `p${index}: ping { status }`)} __typename }`,
    past: `{ ${expensive} ${times(50, (index) => `p${index}: ping { status }`)} }`,
    message:
      'The request costs 60001, more than 60000: each list multiplies the cost of its fields. Request smaller pages or fewer levels.',
  },
};

describe('a document', () => {
  it.each(Object.entries(bounds))('is accepted at the limit of %s and rejected one step past it', async (_, bound) => {
    await expect(errorOf(bound.past)).resolves.toBe(bound.message);
    await expect(errorOf(bound.at)).resolves.toBeUndefined();
  });

  it('is rejected with the first limit that it exceeds only', async () => {
    const aliases = times(51, (index) => `a${index}: __typename`);
    const document = `{ ${aliases} ping ${'@skip(if: false) '.repeat(31)} { ${'status '.repeat(21)} nothing } }`;
    expect(await errorOf(document)).toBe(bounds['aliases']?.message);
  });

  it('is rejected when an argument is nested so deep that the parser would overflow the stack', async () => {
    const nested = (levels: number) => `{ book(id: ${'['.repeat(levels)}1${']'.repeat(levels)}) { id } }`;
    const message = 'An argument is nested more than 25 levels deep. Send it as a variable.';
    expect(await errorOf(nested(25))).toContain('Int cannot represent non-integer value: [[');
    expect(await errorOf(nested(26))).toBe(message);
    expect(await errorOf(nested(990))).toBe(message);
    expect(await errorOf(`{ book(id: ${'['.repeat(1_990)}`)).toBe(message);
    expect(await errorOf(`{ book(id: ${'{a:'.repeat(600)}`)).toBe(message);
    expect(await errorOf(`query ($a: ${'['.repeat(1_000)}Int`)).toBe(message);
    expect(await errorOf(`{ ${'a(b: {c: [1]}) '.repeat(30)} }`)).not.toBe(message);
  });

  it('is rejected with the standard GraphQL error when its fragments form a cycle', async () => {
    const circles = [
      ['{ book(id: 1) { ...F } } fragment F on Book { authors { book { ...F } } }', 'itself.'],
      ['{ book(id: 1) { ...F } } fragment F on Book { ...G } fragment G on Book { ...F }', 'itself via "G".'],
    ] as const;
    for (const [circle, how] of circles) {
      expect(await errorOf(circle)).toBe(`Cannot spread fragment "F" within ${how}`);
    }
  });

  it('is rejected when its fragments expand exponentially', async () => {
    const doubling = times(30, (index) => `fragment F${index} on Ping { ...F${index + 1} ...F${index + 1} }`);
    const flat = `{ ping { ...F0 } } ${doubling} fragment F30 on Ping { status }`;
    expect(await errorOf(flat)).toBe(bounds['repeats']?.message);

    const forking = times(6, (index) => {
      const below = `authors { book { ...F${index + 1} } }`;
      return `fragment F${index} on Book { ${below} a: ${below} b: ${below} c: ${below} }`;
    });
    const nested = `{ book(id: 1) { ...F0 } } ${forking} fragment F6 on Book { id }`;
    expect(await errorOf(nested)).toBe(bounds['fields']?.message);
  });

  it('is rejected even if the fragment that exceeds a limit is unused', async () => {
    const unused = `fragment F on Ping { ${'status '.repeat(1_000)} }`;
    expect(await errorOf(`{ ping { status } } ${unused}`)).toBe(bounds['repeats']?.message);
  });

  it('of a mutation is rejected before it changes anything', async () => {
    const create = (index: number) => `a${index}: createBook(input: { name: "Abuse", price: "1" }) { id }`;
    expect(await errorOf(`mutation { ${times(51, create)} }`)).toBe(bounds['aliases']?.message);
  });
});

describe('the cost of a request', () => {
  const lists = 'authors { works { id code year } }';
  const message = (cost: number) =>
    `The request costs ${cost}, more than 60000: each list multiplies the cost of its fields. Request smaller pages or fewer levels.`;

  it.each([
    [
      'the size of a page',
      `query ($n: Int) { a: books(size: $n) { items { ${lists} } } b: books(size: $n) { items { ${lists} } } }`,
      62_402,
    ],
    [
      'first',
      `query ($n: Int) { booksConnection(first: $n) { nodes { ${lists} ${lists.replace('authors', 'b: authors')} } } }`,
      62_301,
    ],
    [
      'last',
      `query ($n: Int) { booksConnection(last: $n) { edges { node { ${lists} ${lists.replace('authors', 'b: authors')} } } } }`,
      62_401,
    ],
  ])('depends on %s, in a variable too', async (_what, query, cost) => {
    for (const n of [100, 101, 2_147_483_647]) expect(await errorOf(query, { n })).toBe(message(cost));
    for (const n of [1, 20, null]) expect(await errorOf(query, { n })).toBeUndefined();
    expect(await errorOf(query)).toBeUndefined();
  });

  it('depends on first of a list with longer pages up to its own maximum', async () => {
    const works = 'works { id nodeId code year a: code b: year }';
    const query = `query ($n: Int) { changes(first: $n) { changes { author { ${works} } } } }`;
    for (const n of [1_000, 2_147_483_647]) expect(await errorOf(query, { n })).toBe(message(63_001));
    expect(await errorOf(query, { n: 900 })).toBeUndefined();
  });

  it('is that of a page of 20 where no size is given', async () => {
    const request = (size: string) => `{ ${times(12, (index) => `a${index}: books${size} { items { ${lists} } }`)} }`;
    const error = await errorOf(request(''));
    expect(error).toMatch(/^The request costs 7\d{4}, more than 60000/);
    expect(error).toBe(await errorOf(request('(size: 20)')));
  });

  it('is not lowered by a negative size', async () => {
    const query = `{ bad: books(size: -2147483648) { items { ${lists} } } ${times(2, (index) => `a${index}: books(size: 100) { items { ${lists} } }`)} }`;
    expect(await errorOf(query)).toBe(message(62_715));
  });

  const filtered = '(first: 1, filter: { search: "x" })';

  it.each([
    ['of a connection', `booksConnection${filtered} { totalCount nodes { id } }`],
    ['of authors', `authorsConnection${filtered} { ... { totalCount } }`],
    ['of a page', 'books(size: 1, filter: { search: "x" }) { items { id } }'],
  ])('has a price for a count with a filter, %s', async (_what, field) => {
    const request = (count: number) =>
      `{ ${times(count, (index) => `a${index}: ${field}`)} books(size: 100) { items { ${lists} } } }`;
    expect(await errorOf(request(20))).toBeUndefined();
    expect(await errorOf(request(40))).toMatch(/^The request costs 7\d{4}, more than 60000/);
    const free = [
      [field.replace(/filter: \{.*?\}/, 'filter: { search: null }')],
      [field.replace(/totalCount/, 'pageInfo { hasNextPage }')].filter((other) => other !== field),
    ].flat();
    for (const other of free) expect(await errorOf(request(40).replaceAll(field, other))).toBeUndefined();
  });

  it('is that of the selected operation', async () => {
    const document = `query Cheap { ping { status } } query Dear { ${times(2, (index) => `a${index}: books(size: 100) { items { ${lists} } }`)} }`;
    const request = (operationName: string) => server.graphql(document).send({ query: document, operationName });
    expect((await request('Cheap')).body).toEqual({ data: { ping: { status: 'ok' } } });
    expect((await request('Dear')).body.errors[0].message).toBe(message(62_402));
  });

  const nested = (levels: number): string => (levels === 0 ? 'id' : `authors { book { ${nested(levels - 1)} } }`);

  it('multiplies with each nested list', async () => {
    expect(await errorOf(`{ book(id: 1) { ${nested(4)} } }`)).toBeUndefined();
    expect(await errorOf(`{ book(id: 1) { ${nested(5)} } }`)).toBe(message(222_222));
  });

  it('counts introspection by the size of the schema', async () => {
    const fields =
      'name type { fields { name args { name description defaultValue isDeprecated type { name kind } } } }';
    const types = `fragment Types on __Schema { types { fields { ${fields} } } }`;
    const copies = (count: number) => `${times(count, (index) => `a${index}: __schema { ...Types }`)}`;
    expect(await errorOf(`{ ${copies(1)} } ${types}`)).toBeUndefined();
    expect(await errorOf(`{ ${copies(50)} } ${types}`)).toMatch(/^The request costs \d{5,}, more than 60000/);
  });

  it('is limited for each event of a subscription', async () => {
    expect(await errorOf(`subscription { changed { book { ${nested(5)} } } }`)).toBe(message(222_223));
  });
});
