import { getIntrospectionQuery, print } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { documents } from '../support/documents.ts';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
let program: number;
beforeAll(async () => {
  program = (await server.make.program()).id;
  await server.make.branch(program);
});

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** The message of the only error, if any; a rejected request must not have read the catalog. */
async function errorOf(query: string, variables: object = {}): Promise<string | undefined> {
  server.statements.length = 0;
  const { body, status } = await server.graphql(query, variables);
  if (body.errors === undefined) return undefined;
  const read = server.statements.filter((sql) => /FROM (?:"public"\.)?"?(?:programs|branch)/.test(sql));
  expect({ status, read }).toEqual({ status: 400, read: [] });
  expect(body).toEqual({ errors: [expect.objectContaining({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })] });
  return body.errors[0].message;
}

it('a document and variables beyond a limit are rejected, and change nothing', async () => {
  const create = (index: number) => `a${index}: createProgram(input: { name: "Abuse", duration: "1" }) { id }`;
  expect(await errorOf(`mutation { ${times(51, create)} }`)).toMatch(/^The document has more than 50 aliases/);
  const ids = { ids: Array(5_000).fill(1) };
  const filtered = 'query ($f: ProgramFilter) { programs(filter: $f) { count } }';
  expect(await errorOf(filtered, { f: ids })).toMatch(/^The variables have more than 5000 values/);
  const { body } = await server.graphql('{ programs(filter: { search: "Abuse" }) { count } }');
  expect(body.data.programs.count).toBe(0);
});

describe('the cost of a request', () => {
  const lists = 'branches { years { id code year } }';

  it('depends on the size of a page, up to the longest one', async () => {
    const query = `query ($n: Int) {
      a: programs(size: $n) { items { ${lists} } } b: programsConnection(last: $n) { edges { node { ${lists} } } } }`;
    const message = await errorOf(query, { n: 100 });
    expect(message).toMatch(/^The request costs 62\d{3}, more than 60000/);
    expect(await errorOf(query, { n: 2_147_483_647 })).toBe(message);
    for (const n of [20, null]) expect(await errorOf(query, { n })).toBeUndefined();
  });

  it('depends on first of changes up to the longest page of them', async () => {
    const years = 'years { id nodeId code year a: code b: year }';
    const query = `query ($n: Int) { catalogChanges(first: $n) { changes { branch { ${years} } } } }`;
    for (const n of [1_000, 2_147_483_647]) expect(await errorOf(query, { n })).toMatch(/^The request costs 63001,/);
    expect(await errorOf(query, { n: 900 })).toBeUndefined();
  });

  it('has a price for a count with a filter', async () => {
    const field = 'programsConnection(first: 1, filter: { search: "x" }) { totalCount nodes { id } }';
    const request = `{ ${times(40, (index) => `a${index}: ${field}`)} programs(size: 100) { items { ${lists} } } }`;
    expect(await errorOf(request)).toMatch(/^The request costs 7\d{4}, more than 60000/);
    expect(await errorOf(request.replaceAll('"x"', 'null'))).toBeUndefined();
  });
});

it('the items of a response are limited to 100000, however long its lists turn out to be', async () => {
  const nested = '{ branches { program { branches { id } } } }';
  const { id } = await server.make.program();
  const branches = (count: number) =>
    server.database.query(
      "INSERT INTO branches (program_id, name) SELECT $1, 'Branch ' || n FROM generate_series(1, $2::int) n",
      [id, count],
    );
  await branches(315);
  const passed = await server.graphql(`{ program(id: ${id}) ${nested} }`);
  expect(passed.body).not.toHaveProperty('errors');

  // 316 + 316 * 316
  await branches(1);
  for (const other of ['ping { status }', 'catalogStats { programs }']) {
    const { status, body } = await server.graphql(`{ program(id: ${id}) ${nested} ${other} }`);

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        errors: [
          {
            message: 'The lists of the response have more than 100000 items. Request fewer at once.',
            extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
          },
        ],
        data: null,
      },
    });
  }
});

describe('usual requests', () => {
  const everything = `
    id name duration code version createdAt updatedAt
    branches { id name description codePrefix codeIsNumeric version createdAt updatedAt years { id code year } }`;

  it.each<[string, string, object?]>([
    ['the introspection of every client', getIntrospectionQuery()],
    [
      'the introspection of GraphiQL',
      getIntrospectionQuery({
        schemaDescription: true,
        inputValueDeprecation: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        oneOf: true,
      }),
    ],
    [
      '20 programs with their branches and years',
      `{ programs { items { ${everything} program: id } count totalPages } }`,
    ],
    ['100 programs with every field', `{ programs(size: 100) { items { ${everything} } count } }`],
    [
      '100 programs by cursor',
      `{ programsConnection(first: 100) { edges { cursor node { ${everything} } } totalCount } }`,
    ],
    [
      '50 programs by their ids',
      `{ ${times(50, (index) => `p${index}: program(id: ${index}) { id name branches { name years { code } } }`)} }`,
    ],
    [
      '30 branches in one request',
      `mutation { ${times(30, (index) => `b${index}: createBranch(input: { programId: 1, name: "B", years: 4 }) { id years { code } }`)} }`,
    ],
    [
      'a branch with its program and siblings',
      '{ branch(id: 1) { name program { name branches { name program { name } years { code } } } } }',
    ],
  ])('are within the limits: %s', async (_what, query) => {
    const { status, body } = await server.graphql(query);
    expect(status).toBe(200);
    expect(body).toHaveProperty('data');
  });

  it('are within the limits: the REST operations', async () => {
    const variables: Record<string, object> = {
      createProgram: { input: { name: 'Logic', duration: '4 Years' } },
      createBranch: { input: { programId: program, name: 'Proofs', years: 3 } },
    };
    for (const [name, document] of Object.entries(documents)) {
      const { body } = await server.graphql(print(document), variables[name] ?? { id: program });
      expect(body).toEqual({ data: expect.any(Object) });
    }
  });
});
