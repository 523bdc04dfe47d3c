import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../../support/server.ts';

const server = useSharedServer();
let physics: number;
let law: number;
const names = ['Optics', 'Ästhetik der Optik', 'Physics', 'optics', 'Tax law', 'Optics'];
const ids: number[] = [];
beforeAll(async () => {
  physics = (await server.make.program({ name: 'Physics' })).id;
  law = (await server.make.program({ name: 'Law', code: 'LW' })).id;
  for (const [index, name] of names.entries()) {
    ids.push((await server.make.branch(index < 3 ? physics : law, { name, years: 2 })).id);
  }
  const deleted = await server.make.branch(law, { name: 'Optics of the past' });
  await server.graphql(`mutation { deleteBranch(id: ${deleted.id}) { id } }`);
  await server.database.query("UPDATE branches SET created_at = '2020-01-01', updated_at = '2020-01-02'");
});

const query = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: BranchFilter, $orderBy: BranchOrder) {
  branchesConnection(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
    totalCount nodes { id name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
interface Page {
  readonly totalCount: number;
  readonly nodes: readonly { readonly id: number; readonly name: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
async function page(variables: object): Promise<Page> {
  const { body } = await server.graphql(query, variables);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data.branchesConnection;
}
const idsOf = ({ nodes }: Page) => nodes.map(({ id }) => id);

describe('branchesConnection', () => {
  it.each<[object, number[]]>([
    [{ search: 'OPTICS' }, [0, 5, 3]],
    [{ search: 'opti asthetik' }, [1]],
    [{ search: 'ä' }, [1, 4]],
    [{ search: '%' }, []],
    [{ ids: [] }, []],
    [{ updatedSince: '2999-01-01T00:00:00Z' }, []],
    [{ updatedSince: '2020-01-02T00:00:00Z' }, [0, 1, 2, 3, 4, 5]],
  ])('filters by %j', async (filter, indexes) => {
    const found = await page({ filter });
    expect(idsOf(found)).toEqual(indexes.map((at) => ids[at]));
    expect(found.totalCount).toBe(indexes.length);
  });

  it('filters by the number of years', async () => {
    const { id } = await server.make.branch(physics, { name: 'Waves', years: 3 });
    expect(idsOf(await page({ filter: { years: 3 } }))).toEqual([id]);
    expect((await page({ filter: { years: 2 } })).totalCount).toBe(ids.length);
    const { body } = await server.graphql('{ branchesConnection(filter: { years: 0 }) { totalCount } }');
    expect(body.errors[0].extensions.errors).toEqual({ filter: ['years must be at least 1.'] });
    await server.graphql('mutation ($id: Int!) { deleteBranch(id: $id) { id } }', { id });
  });

  it('filters by program and by ids', async () => {
    expect(idsOf(await page({ filter: { programId: law, search: 'optics' } }))).toEqual([ids[5], ids[3]]);
    expect(idsOf(await page({ filter: { programId: physics, ids: [ids[0], ids[4], 4242] } }))).toEqual([ids[0]]);
  });

  it('runs one statement, and with resolvers one for each level', async () => {
    for (const [fields, count] of [
      ['name', 1],
      ['name matchedBranches { id }', 3],
    ] as const) {
      server.statements.length = 0;
      await server.graphql(`{ branchesConnection(first: 6) { nodes { name years { code } program { ${fields} } } } }`);
      expect(server.statements).toHaveLength(count);
    }
  });

  it('is open to any active user, except for the programs of the branches', async () => {
    const guest = await server.makeKey({ role: 'guest' });
    const open = await server.graphql('{ branchesConnection { nodes { id } } }', {}, guest);
    expect(open.body.data.branchesConnection.nodes).toHaveLength(ids.length);
    const forbidden = await server.graphql('{ branchesConnection { nodes { program { id } } } }', {}, guest);
    expect(forbidden.body.errors[0]).toMatchObject({ message: 'You need the permission programs:read.' });
    // The order, and each cursor, would tell names of programs.
    const byProgram = await server.graphql(
      '{ branchesConnection(orderBy: PROGRAM_DESC) { edges { cursor } } }',
      {},
      guest,
    );
    expect(byProgram.body).toMatchObject({
      data: null,
      errors: [{ message: 'You need the permission programs:read.' }],
    });
    const disabled = await server.makeKey({ user: 'gone', disabled: true });
    const rejected = await server.graphql('{ branchesConnection { nodes { id } } }', {}, disabled);
    expect(rejected.body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});

describe('lists of programs', () => {
  it.each([
    [{ search: 'tax' }, []],
    [{ search: 'tax', searchBranches: true }, ['Law']],
    [{ search: 'LW tax', searchBranches: true }, ['Law']],
    [{ search: 'physics optics', searchBranches: true }, ['Physics']],
    [{ search: 'optics', searchBranches: true }, ['Law', 'Physics']],
    [{ search: 'past', searchBranches: true }, []],
    [{ searchBranches: true }, ['Physics', 'Law']],
  ])('filter by %j', async (filter, expected) => {
    const { body } = await server.graphql(
      `query ($filter: ProgramFilter) {
        programsConnection(filter: $filter) { totalCount nodes { name } } programs(filter: $filter) { count items { name } }
      }`,
      { filter },
    );
    const { programsConnection, programs } = body.data;
    expect(programsConnection.nodes.map(({ name }: { name: string }) => name)).toEqual(expected);
    expect(programs.items).toEqual(programsConnection.nodes);
    expect([programsConnection.totalCount, programs.count]).toEqual([expected.length, expected.length]);
  });
});
