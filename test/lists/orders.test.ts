import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { branchOrders, programOrders } from './orders.ts';

const server = useSharedServer();

/** Values of an attribute in their order; what is equal follows by id. */
const values = ['-12.5', '-3', '0', '2.10', '2.5', '012', '12', '2 credits', '12 credits', 'Été', 'winter', null, null];
const codes = ['', 'A-2', 'a-2', 'A-10', null, 'Z'];
const durations = ['12 Months', '2 Years', '10 Years'];

beforeAll(async () => {
  for (const [index, value] of values.toReversed().entries()) {
    const attributes = value === null ? { other: 'x' } : { credits: value };
    const [code, duration] = [codes[index % codes.length], durations[index % durations.length]];
    await server.database.query(
      `WITH program AS (
        INSERT INTO programs (name, duration, code, attributes) VALUES ($1, $2, $3, $4) RETURNING id
      ), branch AS (
        INSERT INTO branches (program_id, name, code, description, code_prefix, attributes)
        SELECT id, 'B' || n, $3, $2, coalesce($3, ''), $4 FROM program, generate_series(1, $5) n RETURNING id
      )
      INSERT INTO branch_years (branch_id, year, code) SELECT id, n, n FROM branch, generate_series(1, $6) n`,
      [`P${index % 4}`, duration, code, JSON.stringify(attributes), Math.floor(index / 6), 1 + (index % 5)],
    );
  }
  // As those of an import do, timestamps repeat.
  for (const table of ['programs', 'branches']) {
    await server.database.query(
      `UPDATE ${table} SET created_at = date_trunc('minute', created_at), updated_at = date_trunc('minute', created_at)`,
    );
  }
});

interface Listed {
  readonly duration: string;
  readonly branches: [];
  readonly years: [];
  readonly program: { readonly name: string };
}
type OrderCase = readonly [order: string, keyOf: (record: Listed) => unknown, expected: readonly unknown[]];

const programCases: readonly OrderCase[] = [
  ['DURATION_ASC', ({ duration }) => duration, ['2 Years', '10 Years', '12 Months']],
  ['BRANCHES_DESC', ({ branches }) => branches.length, [2, 1, 0]],
];
const branchCases: readonly OrderCase[] = [
  ['YEARS_ASC', ({ years }) => years.length, [1, 2, 3, 4, 5]],
  ['PROGRAM_DESC', ({ program }) => program.name, ['P3', 'P2', 'P1', 'P0']],
];

const lists = [
  { kind: 'programs', type: 'Program', orders: programOrders },
  { kind: 'branches', type: 'Branch', orders: branchOrders },
] as const;

describe.each(lists)('a list of $kind', ({ kind, type, orders }) => {
  const fields = `id name code attributes { key value } ${kind === 'programs' ? 'duration branches { id }' : 'years { id } program { name }'}`;
  async function page(order: string, variables: object) {
    const isByAttribute = order.startsWith('ATTRIBUTE');
    const { body } = await server.graphql(
      `query ($orderBy: ${type}Order, $key: String, $first: Int, $after: String, $last: Int, $before: String) {
        page: ${kind}Connection(orderBy: $orderBy, orderAttribute: $key, first: $first, after: $after, last: $last, before: $before) {
          nodes { ${fields} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }`,
      { orderBy: order, key: isByAttribute ? 'credits' : undefined, ...variables },
    );
    expect(body.errors).toBeUndefined();
    return body.data.page;
  }
  const all = async (order: string) => (await page(order, { first: 100 })).nodes;

  it('has the same records in the same order, page by page in both directions, in any order', async () => {
    const arbitrary = fc.constantFrom(...orders, 'ATTRIBUTE_ASC', 'ATTRIBUTE_DESC');
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (order, size, isBackwards) => {
        const ids = (await all(order)).map(({ id }: { id: number }) => id);
        const walked: number[] = [];
        for (let cursor: string | null = null, more = true; more; ) {
          const { nodes, pageInfo } = await page(
            order,
            isBackwards ? { last: size, before: cursor } : { first: size, after: cursor },
          );
          const read = nodes.map(({ id }: { id: number }) => id);
          if (isBackwards) walked.unshift(...read);
          else walked.push(...read);
          cursor = isBackwards ? pageInfo.startCursor : pageInfo.endCursor;
          more = isBackwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
        }
        expect(walked).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: inject('thorough') ? 40 : 15 },
    );
  });

  const valueIn = ({ attributes }: { attributes: { key: string; value: string }[] }) =>
    attributes.find(({ key }) => key === 'credits')?.value ?? null;

  it.each([
    ['ATTRIBUTE_ASC', values],
    ['ATTRIBUTE_DESC', [...values.filter((value) => value !== null).toReversed(), null]],
  ])('%s has numbers by value, then texts as people order them, and last those without', async (order, expected) => {
    const found = (await all(order)).map(valueIn);
    const used = expected.filter((value, place) => found.includes(value) && expected.indexOf(value) === place);
    expect(found.filter((value: string, place: number) => found.indexOf(value) === place)).toEqual(used);
  });

  it('by code has numbers by value, and those without a code last in both directions', async () => {
    for (const order of ['CODE_ASC', 'CODE_DESC']) {
      const found = (await all(order)).map(({ code }: { code: string | null }) => code ?? '');
      const given = ['A-2', 'a-2', 'A-10', 'Z'];
      expect([...new Set(found)]).toEqual([...(order === 'CODE_ASC' ? given : given.toReversed()), '']);
    }
  });

  it('rejects an attribute without its order, and the order without an attribute', async () => {
    const read = async (given: string) =>
      (await server.graphql(`{ ${kind}Connection(${given}) { nodes { id } } }`)).body.errors[0].extensions.errors;
    expect(await read('orderBy: NAME_ASC, orderAttribute: "level"')).toEqual({
      orderAttribute: ['orderAttribute requires the order ATTRIBUTE_ASC or ATTRIBUTE_DESC.'],
    });
    expect(await read('orderBy: ATTRIBUTE_DESC')).toEqual({
      orderAttribute: ['ATTRIBUTE_DESC requires orderAttribute, the key of the attribute.'],
    });
  });

  it('rejects a cursor of another attribute', async () => {
    const { pageInfo } = await page('ATTRIBUTE_ASC', { first: 1 });
    const { body } = await server.graphql(
      `query ($after: String) { ${kind}Connection(orderBy: ATTRIBUTE_ASC, orderAttribute: "level", after: $after) { nodes { id } } }`,
      { after: pageInfo.endCursor },
    );
    expect(body.errors[0].extensions.errors).toEqual({
      after: ['after must be a cursor that this list has returned.'],
    });
  });

  it.each(kind === 'programs' ? programCases : branchCases)('is ordered by %s', async (order, keyOf, expected) => {
    const found = (await all(order)).map(keyOf);
    expect(found).toEqual(expected.flatMap((value) => found.filter((one: unknown) => one === value)));
    expect(new Set(found).size).toBe(expected.length);
  });
});
