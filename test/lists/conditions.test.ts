import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();

/** Programs with as many branches, of as many years; the last has neither code nor attributes. */
const programs = [
  { name: 'Law', duration: '3 Years', code: 'L', level: 'UG', credits: '180', until: '2026-09-30', branches: 0 },
  {
    name: 'Medicine',
    duration: '6 Years',
    code: 'M',
    level: 'PG',
    credits: '1200.5',
    until: '2027-03-31',
    branches: 1,
  },
  { name: 'Music', duration: '3 Years', code: 'MU', level: 'UG', credits: 'unknown', branches: 2 },
  { name: 'Nursing', duration: '2 Years', branches: 3 },
];
beforeAll(async () => {
  for (const [index, { name, duration, code, branches, ...attributes }] of programs.entries()) {
    const [row] = await server.database.query(
      `INSERT INTO programs (name, duration, code, attributes, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5::timestamptz, $5) RETURNING id`,
      [name, duration, code ?? null, JSON.stringify(attributes), `2026-0${index + 1}-15T00:00:00Z`],
    );
    for (let years = 1; years <= branches; years += 1) {
      await server.make.branch(Number(row?.['id']), { name: `${name} ${years}`, years });
    }
  }
});

async function found(kind: 'Program' | 'Branch', filter: object): Promise<string[]> {
  const field = kind === 'Program' ? 'programsConnection' : 'branchesConnection';
  const { body } = await server.graphql(
    `query ($filter: ${kind}Filter) { found: ${field}(filter: $filter, orderBy: ID_ASC) { totalCount nodes { name } } }`,
    { filter },
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.found.totalCount).toBe(body.data.found.nodes.length);
  return body.data.found.nodes.map(({ name }: { name: string }) => name);
}

const credits = (condition: object) => ({ attributes: [{ key: 'credits', ...condition }] });
const level = (condition: object) => ({ attributes: [{ key: 'level', ...condition }] });

describe('a filter of programs', () => {
  it.each([
    ['several values', { durations: ['2 Years', '6 Years'] }, ['Medicine', 'Nursing']],
    ['values as they are stored', { durations: [' 2 Years\u200b ', '6 Years\n'] }, ['Medicine', 'Nursing']],
    ['no value of a list', { durations: [] }, []],
    [
      'a range of times',
      { createdSince: '2026-02-15T00:00:00Z', createdBefore: '2026-04-15T00:00:00Z' },
      ['Medicine', 'Music'],
    ],
    ['what is not', { not: { durations: ['3 Years'] } }, ['Medicine', 'Nursing']],
    ['what is not, of records without a value', { not: { codes: ['L'] } }, ['Medicine', 'Music', 'Nursing']],
    ['any', { or: [{ hasCode: false }, { minBranches: 1, maxBranches: 1 }] }, ['Medicine', 'Nursing']],
    ['any of none', { or: [] }, []],
    ['all', { and: [{ not: { hasCode: false } }, { not: { codes: ['L'] } }] }, ['Medicine', 'Music']],
    ['all of none', { and: [], hasCode: false }, ['Nursing']],
    ['nothing that is not anything', { not: {} }, []],
    [
      'any, none and fields together',
      { duration: '3 Years', or: [{ codes: ['L', 'M'] }], not: level({ value: 'PG' }) },
      ['Law'],
    ],
    [
      'a search with conditions',
      { search: 'm', not: { hasBranches: false }, updatedBefore: '2026-03-15T00:00:00Z' },
      ['Medicine'],
    ],
    ['several values of an attribute', level({ values: ['PG', 'PhD'] }), ['Medicine']],
    ['an attribute that is not', { not: level({ values: ['PG'] }) }, ['Law', 'Music', 'Nursing']],
    ['some value of an attribute', { ...credits({ hasValue: true }), not: level({ value: 'PG' }) }, ['Law', 'Music']],
    ['no value of an attribute', level({ hasValue: false }), ['Nursing']],
    ['a key alone', level({}), ['Nursing']],
    ['numbers of an attribute from one', credits({ from: '200' }), ['Medicine']],
    ['numbers of an attribute up to one', credits({ to: '1200.50' }), ['Law', 'Medicine']],
    ['numbers of an attribute', credits({ from: '180', to: '1000' }), ['Law']],
    ['texts of an attribute, in any letter case', credits({ from: 'U' }), ['Music']],
    ['days of an attribute', { attributes: [{ key: 'until', from: '2026-10-01', to: '2027-03-31' }] }, ['Medicine']],
  ])('finds %s', async (_what, filter, names) => {
    expect(await found('Program', filter)).toEqual(names);
  });
});

describe('a filter of branches', () => {
  const all = ['Medicine 1', 'Music 1', 'Music 2', 'Nursing 1', 'Nursing 2', 'Nursing 3'];
  it.each([
    [{ yearCounts: [1, 3] }, ['Medicine 1', 'Music 1', 'Nursing 1', 'Nursing 3']],
    [{ minYears: 0 }, all],
    [{ minYears: 2 }, ['Music 2', 'Nursing 2', 'Nursing 3']],
    [{ minYears: 2, maxYears: 2 }, ['Music 2', 'Nursing 2']],
    [{ programIds: [2, 3] }, all.slice(0, 3)],
    [{ createdSince: '2999-01-01T00:00:00Z' }, []],
    [{ or: [{ programId: 2 }, { minYears: 3 }], not: { hasDescription: true } }, ['Medicine 1', 'Nursing 3']],
    [{ and: [{ not: { programIds: [4] } }, { not: { years: 1 } }] }, ['Music 2']],
  ])('finds %j', async (filter, names) => {
    expect(await found('Branch', filter)).toEqual(names);
  });
});

describe('conditions are bounded', () => {
  const problemOf = async (filter: object) => {
    const { body } = await server.graphql('query ($filter: ProgramFilter) { programs(filter: $filter) { count } }', {
      filter,
    });
    return body.errors[0].extensions.errors;
  };

  it('in their depth', async () => {
    const deep = (levels: number): object => (levels === 0 ? { hasCode: true } : { not: deep(levels - 1) });
    expect(await found('Program', deep(3))).toEqual(['Nursing']);
    expect(await problemOf(deep(4))).toEqual({ filter: ['Conditions must not be nested more than 3 levels deep.'] });
  });

  it('in their number', async () => {
    const or = Array.from({ length: 21 }, (_, index) => ({ codes: [`C${index}`] }));
    const message =
      'The filter must have at most 20 conditions within and, or and not; one on branches or years counts as 7.';
    expect(await found('Program', { or: or.slice(1) })).toEqual([]);
    expect(await problemOf({ or })).toEqual({ filter: [message] });
    expect(await problemOf({ or: [1, 2, 3].map((minBranches) => ({ minBranches })) })).toEqual({
      filter: [message],
    });
  });

  it('by the query cost of each', async () => {
    const or = Array.from({ length: 20 }, () => ({ hasCode: true }));
    const fields = Array.from(
      { length: 30 },
      (_, index) => `f${index}: programsConnection(first: 1, filter: $filter) { totalCount }`,
    );
    const { body } = await server.graphql(`query ($filter: ProgramFilter) { ${fields.join(' ')} }`, { filter: { or } });
    expect(body.errors[0].message).toContain('The request costs 9');
  });
});
