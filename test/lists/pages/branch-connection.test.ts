import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../../support/server.ts';

const server = useSharedServer();
const branches = new Map<number, number[]>();
beforeAll(async () => {
  for (const count of [5, 0, 3]) {
    const { id } = await server.make.program();
    const ids = [];
    for (let made = 0; made < count; made += 1) ids.push((await server.make.branch(id)).id);
    branches.set(id, ids);
  }
});

const query = (args: string) =>
  `{ programs { items { id branchesConnection(${args}) { totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } } } }`;

interface Item {
  readonly id: number;
  readonly branchesConnection: {
    readonly totalCount: number;
    readonly nodes: readonly { id: number }[];
    readonly pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string; startCursor: string };
  };
}

async function parts(args: string): Promise<Item[]> {
  return (await server.graphql(query(args))).body.data.programs.items;
}

describe('branchesConnection', () => {
  it.each([
    ['first: 2', (ids: number[]) => ids.slice(0, 2), (ids: number[]) => [ids.length > 2, false]],
    ['last: 2', (ids: number[]) => ids.slice(-2), (ids: number[]) => [false, ids.length > 2]],
    ['first: 0', () => [], (ids: number[]) => [ids.length > 0, false]],
    ['first: 100', (ids: number[]) => ids, () => [false, false]],
  ])('pages the branches of each program (%s)', async (args, shown, more) => {
    for (const { id, branchesConnection } of await parts(args)) {
      const ids = branches.get(id) ?? [];
      expect(branchesConnection.nodes.map((node) => node.id)).toEqual(shown(ids));
      expect([branchesConnection.pageInfo.hasNextPage, branchesConnection.pageInfo.hasPreviousPage]).toEqual(more(ids));
      expect(branchesConnection.totalCount).toBe(ids.length);
    }
  });

  it('continues from a cursor in both directions', async () => {
    const [program] = await parts('first: 2');
    const ids = branches.get(program?.id ?? 0) ?? [];
    const on = async (args: string) =>
      (
        await server.graphql(`{ program(id: ${program?.id}) { branchesConnection(${args}) { nodes { id } } } }`)
      ).body.data.program.branchesConnection.nodes.map((node: { id: number }) => node.id);

    const cursor = JSON.stringify(program?.branchesConnection.pageInfo.endCursor);
    expect(await on(`first: 2, after: ${cursor}`)).toEqual(ids.slice(2, 4));
    expect(await on(`last: 5, before: ${cursor}`)).toEqual(ids.slice(0, 1));
  });

  it('needs no further statement, and with resolvers one for the branches of all programs and one for their counts', async () => {
    for (const [fields, count] of [
      ['', 1],
      ['matchedBranches { id }', 2],
    ] as const) {
      server.statements.length = 0;
      await server.graphql(query('first: 3').replace('items {', `items { ${fields}`));
      expect(server.statements.filter((sql) => sql.includes('branches'))).toHaveLength(count);
    }
  });
});
