import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programOrders } from '../../src/academics/program-list.ts';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let physics: number;
let law: number;
const names = ['Optics', 'Ästhetik der Optik', 'Physics', 'optics', 'Tax law', 'Optics'];
const ids: number[] = [];
beforeAll(async () => {
  server = await startTestServer();
  const make = factoriesFor(server);
  physics = (await make.program({ name: 'Physics' })).id;
  law = (await make.program({ name: 'Law', code: 'LW' })).id;
  for (const [index, name] of names.entries()) {
    ids.push((await make.branch(index < 3 ? physics : law, { name, years: 2 })).id);
  }
  const gone = await make.branch(law, { name: 'Optics of the past' });
  await server.graphql(`mutation { deleteBranch(id: ${gone.id}) { id } }`);
  await server.database.query("UPDATE branches SET created_at = '2020-01-01', updated_at = '2020-01-02'");
});
afterAll(() => server.close());

const query = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: BranchFilter, $orderBy: BranchOrder) {
  branchesConnection(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
    totalCount nodes { id name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
interface Part {
  readonly totalCount: number;
  readonly nodes: readonly { readonly id: number; readonly name: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
async function part(variables: object): Promise<Part> {
  const { body } = await server.graphql(query, variables);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data.branchesConnection;
}
const idsOf = ({ nodes }: Part) => nodes.map(({ id }) => id);

describe('branchesConnection', () => {
  it.each(programOrders)(
    'shows every branch once in the order of %s, part by part and from either end',
    async (orderBy) => {
      const all = idsOf(await part({ first: 100, orderBy }));
      expect(all.toSorted((one, other) => one - other)).toEqual(ids);
      const walked: number[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const given: Part = await part({ first: 2, after, orderBy });
        walked.push(...idsOf(given));
        after = given.pageInfo.endCursor;
        more = given.pageInfo.hasNextPage;
      }
      expect(walked).toEqual(all);
      expect(idsOf(await part({ last: 2, orderBy }))).toEqual(all.slice(-2));
    },
  );

  it.each<[object, number[]]>([
    [{ search: 'OPTICS' }, [0, 3, 5]],
    [{ search: 'opti asthetik' }, [1]],
    [{ search: 'ä' }, [1, 4]],
    [{ search: '%' }, []],
    [{ ids: [] }, []],
    [{ updatedSince: '2999-01-01T00:00:00Z' }, []],
    [{ updatedSince: '2020-01-02T00:00:00Z' }, [0, 1, 2, 3, 4, 5]],
  ])('finds by %j', async (filter, places) => {
    const found = await part({ filter });
    expect(idsOf(found)).toEqual(places.map((place) => ids[place]));
    expect(found.totalCount).toBe(places.length);
  });

  it('finds by program and by ids', async () => {
    expect(idsOf(await part({ filter: { programId: law, search: 'optics' } }))).toEqual([ids[3], ids[5]]);
    expect(idsOf(await part({ filter: { programId: physics, ids: [ids[0], ids[4], 4242] } }))).toEqual([ids[0]]);
  });

  it('reads each level in one statement', async () => {
    server.statements.length = 0;
    await server.graphql('{ branchesConnection(first: 6) { nodes { name years { code } program { name } } } }');
    expect(server.statements).toHaveLength(3);
  });

  it('is for everyone who is known, but for the programs of the branches', async () => {
    const guest = await makeKey(server.database, { role: 'guest' });
    const open = await server.graphql('{ branchesConnection { nodes { id } } }', {}, guest);
    expect(open.body.data.branchesConnection.nodes).toHaveLength(ids.length);
    const shut = await server.graphql('{ branchesConnection { nodes { program { id } } } }', {}, guest);
    expect(shut.body.errors[0]).toMatchObject({ message: 'You need the permission programs:read.' });
    const disabled = await makeKey(server.database, { user: 'gone', disabled: true });
    const refused = await server.graphql('{ branchesConnection { nodes { id } } }', {}, disabled);
    expect(refused.body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  it('refuses a cursor of another order, and a filter that is none', async () => {
    const { pageInfo } = await part({ first: 1, orderBy: 'NAME_ASC' });
    const other = await server.graphql(query, { after: pageInfo.endCursor, orderBy: 'ID_ASC' });
    expect(other.body.errors[0].extensions.errors).toEqual({
      after: ['after must be a cursor that this list has given.'],
    });
    const negative = await server.graphql(query, { filter: { programId: -1 } });
    expect(negative.body.errors[0].extensions.errors).toEqual({ filter: ['programId must not be negative.'] });
  });

  it('shows a change at once, though answers are kept', async () => {
    await part({ filter: { search: 'quantum' } });
    const { id } = await factoriesFor(server).branch(physics, { name: 'Quantum optics' });
    expect(idsOf(await part({ filter: { search: 'quantum' } }))).toEqual([id]);
    await server.graphql(`mutation { deleteBranch(id: ${id}) { id } }`);
    expect(idsOf(await part({ filter: { search: 'quantum' } }))).toEqual([]);
  });
});

describe('lists of programs', () => {
  it.each([
    [{ search: 'tax' }, []],
    [{ search: 'tax', searchBranches: true }, ['Law']],
    [{ search: 'LW tax', searchBranches: true }, ['Law']],
    [{ search: 'physics optics', searchBranches: true }, ['Physics']],
    [{ search: 'optics', searchBranches: true }, ['Physics', 'Law']],
    [{ search: 'past', searchBranches: true }, []],
    [{ searchBranches: true }, ['Physics', 'Law']],
  ])('find by %j', async (filter, expected) => {
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
