import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
const send = async (query: string, variables: object = {}) => (await server.graphql(query, variables)).body;

/** Three programs, each with a branch of the same attributes. */
beforeAll(async () => {
  const records = [
    ['Civil Engineering', { level: 'Diploma', place: 'Port Blair' }],
    ['Civil Works', { level: 'Diploma', place: 'Étretat\'s 7" \\ mole' }],
    ['Port Management', { level: 'UG' }],
  ] as const;
  for (const [name, given] of records) {
    const attributes = Object.entries(given).map(([key, value]) => ({ key, value }));
    const { createProgram } = (
      await send(`mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id } }`, {
        input: { name, duration: '1 Year', attributes },
      })
    ).data;
    await send(`mutation ($input: CreateBranchInput!) { createBranch(input: $input) { id } }`, {
      input: { programId: createProgram.id, name: `Branch of ${name}`, years: 1, attributes },
    });
  }
});

const diploma = { key: 'level', value: 'Diploma' };

describe('the filter attributes', () => {
  it.each<[object[], readonly number[]]>([
    [[diploma], [1, 2]],
    [[{ key: 'level', value: ' Diploma\t' }], [1, 2]],
    [[{ key: 'level', value: 'diploma' }], []],
    [[{ key: 'Level', value: 'Diploma' }], []],
    [[diploma, { key: 'place', value: 'Port Blair' }], [1]],
    [[{ key: 'place', value: 'E\u0301tretat\'s 7" \\ mole' }], [2]],
    [[{ key: 'place', value: null }], [3]],
    [[{ key: 'place' }], [3]],
    [[diploma, { key: 'place', value: null }], []],
    [[{ key: '__proto__', value: null }], [1, 2, 3]],
    [[{ key: '__proto__', value: 'x' }], []],
    [[], [1, 2, 3]],
  ])('finds records that match all: %j', async (attributes, ids) => {
    const query = `query ($programs: ProgramFilter, $branches: BranchFilter) {
      programs(filter: $programs) { items { id } count }
      programsConnection(filter: $programs) { nodes { id } totalCount }
      branchesConnection(filter: $branches) { nodes { id } totalCount }
    }`;
    const records = ids.map((id) => ({ id }));
    expect((await send(query, { programs: { attributes }, branches: { attributes } })).data).toEqual({
      programs: { items: records, count: ids.length },
      programsConnection: { nodes: records, totalCount: ids.length },
      branchesConnection: { nodes: records, totalCount: ids.length },
    });
  });

  it('takes each key once, as valid ones', async () => {
    const query = `query ($filter: ProgramFilter) { programs(filter: $filter) { count } }`;
    const errorsOf = async (attributes: object[]) =>
      (await send(query, { filter: { attributes } })).errors[0].extensions.errors;
    expect(await errorsOf([diploma, diploma])).toEqual({ filter: ['attributes must name each key once.'] });
    expect(await errorsOf([{ key: 'a b', value: '' }])).toEqual({
      filter: ['key must be 1 to 40 letters (A-Z, a-z), digits, or one of _ . -.', 'value must not be blank.'],
    });
    const tooMany = Array.from({ length: 51 }, (_, index) => ({ key: `k${index}`, value: 'x' }));
    expect(await errorsOf(tooMany)).toEqual({ filter: ['attributes must be at most 50.'] });
  });
});

describe('a search of attributes', () => {
  const find = async (search: string, flags = 'searchAttributes: true') => {
    const { data } = await send(
      `query ($search: String!) {
        programs(filter: { search: $search, ${flags} }) { items { id matchedBranches { id } } }
        branchesConnection(filter: { search: $search, searchAttributes: true }) { nodes { id } }
      }`,
      { search },
    );
    return {
      programs: data.programs.items.map(({ id }: { id: number }) => id),
      branches: data.branchesConnection.nodes.map(({ id }: { id: number }) => id),
      matched: data.programs.items.flatMap(({ matchedBranches }: { matchedBranches: { id: number }[] }) =>
        matchedBranches.map(({ id }) => id),
      ),
    };
  };

  it.each<[string, readonly number[]]>([
    ['diploma', [1, 2]],
    ['PORT', [3, 1]],
    ['civil blair', [1]],
    ['civil diploma etretat', [2]],
    ['7" \\', [2]],
    ['level', []],
    ['place', []],
    ['"', [2]],
    ['",', []],
    ['["', []],
    ['t mole', [2]],
  ])('finds %j in values, ranked below names: %j', async (search, ids) => {
    expect(await find(search)).toMatchObject({ programs: ids, branches: ids });
  });

  it('finds programs by attributes of their branches with searchBranches, and says which branches match', async () => {
    await send(`mutation { updateProgram(id: 2, input: { attributes: [{ key: "place", value: null }] }) { id } }`);
    expect((await find('mole')).programs).toEqual([]);
    expect(await find('mole', 'searchAttributes: true, searchBranches: true')).toMatchObject({
      programs: [2],
      matched: [2],
    });
    expect((await find('mole', 'searchBranches: true')).programs).toEqual([]);
  });
});

describe('catalogStats', () => {
  it('lists the keys in use with their records, and the values of a key, most frequent first', async () => {
    const { data } = await send(`{
      catalogStats {
        attributeKeys { key programs branches }
        levels: programsByAttribute(key: "level") { value count }
        first: branchesByAttribute(key: "level", first: 1) { value count }
        none: branchesByAttribute(key: "Level") { value count }
      }
    }`);
    expect(data.catalogStats).toEqual({
      attributeKeys: [
        { key: 'level', programs: 3, branches: 3 },
        { key: 'place', programs: 1, branches: 2 },
      ],
      levels: [
        { value: 'Diploma', count: 2 },
        { value: 'UG', count: 1 },
      ],
      first: [{ value: 'Diploma', count: 2 }],
      none: [],
    });
    const { errors } = await send('{ catalogStats { programsByAttribute(key: "a b", first: 0) { count } } }');
    expect(errors[0].extensions.errors).toEqual({
      key: ['key must be 1 to 40 letters (A-Z, a-z), digits, or one of _ . -.'],
      first: ['first must be at least 1.'],
    });
  });

  it('shows a change of attributes at once', async () => {
    const query = '{ catalogStats { programsByAttribute(key: "level") { value count } } }';
    await send(query);
    await send(`mutation { updateProgram(id: 3, input: { attributes: [{ key: "level", value: "Diploma" }] }) { id } }`);
    expect((await send(query)).data.catalogStats.programsByAttribute).toEqual([{ value: 'Diploma', count: 3 }]);
    const filtered = `query ($filter: ProgramFilter) { programs(filter: $filter) { count } }`;
    expect((await send(filtered, { filter: { attributes: [diploma] } })).data.programs.count).toBe(3);
    await send(`mutation { updateProgram(id: 3, input: { attributes: [{ key: "level", value: null }] }) { id } }`);
    expect((await send(filtered, { filter: { attributes: [diploma] } })).data.programs.count).toBe(2);
  });
});
