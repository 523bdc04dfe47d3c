import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
/** `law` and `alchemy` are deleted, in this order; `physics` is not, but one of its branches. */
let programs: Record<'physics' | 'law' | 'alchemy', number>;
let branches: Record<'optics' | 'ether' | 'tax' | 'gold', number>;
beforeAll(async () => {
  programs = {
    physics: (await server.make.program({ name: 'Physics' })).id,
    law: (await server.make.program({ name: 'Law' })).id,
    alchemy: (await server.make.program({ name: 'Alchemy', duration: '7 Years' })).id,
  };
  branches = {
    optics: (await server.make.branch(programs.physics, { name: 'Optics' })).id,
    ether: (await server.make.branch(programs.physics, { name: 'Ether', years: 2 })).id,
    tax: (await server.make.branch(programs.law, { name: 'Tax law' })).id,
    gold: (await server.make.branch(programs.alchemy, { name: 'Gold' })).id,
  };
  for (const field of [
    `deleteBranch(id: ${branches.gold})`,
    `deleteProgram(id: ${programs.law})`,
    `deleteBranch(id: ${branches.ether})`,
    `deleteProgram(id: ${programs.alchemy})`,
  ]) {
    expect((await server.graphql(`mutation { ${field} { id deletedAt } }`)).body.errors).toBeUndefined();
  }
});

const listed = async (list: string, args: string, fields = 'id') => {
  const { body } = await server.graphql(`{ ${list}(${args}) { nodes { ${fields} } totalCount } }`);
  expect(body.errors).toBeUndefined();
  return body.data[list];
};
const idsIn = async (list: string, args: string): Promise<number[]> =>
  (await listed(list, args)).nodes.map(({ id }: { id: number }) => id);

describe('a list of deleted records', () => {
  it('has the deleted programs with the time of their deletion', async () => {
    const { nodes, totalCount } = await listed(
      'programsConnection',
      'filter: { deleted: true }',
      'id name version createdAt deletedAt branches { id }',
    );
    expect(totalCount).toBe(2);
    expect(nodes).toEqual(
      ['Law', 'Alchemy'].map((name) => expect.objectContaining({ name, version: 1, branches: [] })),
    );
    for (const { createdAt, deletedAt } of nodes) expect(Date.parse(deletedAt)).toBeGreaterThan(Date.parse(createdAt));
  });

  it('has the deleted branches with their years, and with their programs, deleted or not', async () => {
    const fields = 'id deletedAt years { code } program { id name deletedAt }';
    const { nodes, totalCount } = await listed('branchesConnection', 'filter: { deleted: true }', fields);
    expect(totalCount).toBe(3);
    expect(nodes).toEqual([
      {
        id: branches.ether,
        deletedAt: expect.any(String),
        years: [{ code: '1' }, { code: '2' }],
        program: { id: programs.physics, name: 'Physics', deletedAt: null },
      },
      expect.objectContaining({
        id: branches.tax,
        program: { id: programs.law, name: 'Law', deletedAt: nodes[1].deletedAt },
      }),
      expect.objectContaining({
        id: branches.gold,
        program: { id: programs.alchemy, name: 'Alchemy', deletedAt: expect.any(String) },
      }),
    ]);
  });

  it.each([
    ['programsConnection', 'filter: { deleted: false }', ['physics']],
    ['programsConnection', 'filter: { deleted: null }', ['physics']],
    ['programsConnection', 'filter: { deleted: true }, orderBy: DELETED_DESC', ['alchemy', 'law']],
    ['programsConnection', 'filter: { deleted: true }, orderBy: DELETED_ASC', ['law', 'alchemy']],
    ['programsConnection', 'filter: { deleted: true }, orderBy: NAME_ASC, last: 1', ['law']],
    ['programsConnection', 'filter: { deleted: true, search: "alch" }', ['alchemy']],
    ['programsConnection', 'filter: { deleted: true, search: "tax", searchBranches: true }', ['law']],
    ['programsConnection', 'filter: { deleted: true, search: "gold", searchBranches: true }', []],
    ['programsConnection', 'filter: { deleted: true, hasBranches: true }', ['law']],
    ['programsConnection', 'filter: { deleted: true, hasBranches: false }', ['alchemy']],
    ['programsConnection', 'filter: { deleted: true, duration: "7 Years" }', ['alchemy']],
    ['branchesConnection', 'filter: { deleted: false }', ['optics']],
    ['branchesConnection', 'filter: { deleted: true }, orderBy: DELETED_DESC', ['ether', 'tax', 'gold']],
    ['branchesConnection', 'filter: { deleted: true, search: "LAW" }', ['tax']],
    ['branchesConnection', 'filter: { deleted: true, programId: 1 }', ['ether']],
  ])('%s(%s) lists %j', async (list, args, expected) => {
    const named: Record<string, number> = { ...programs, ...branches };
    expect(await idsIn(list, args)).toEqual(expected.map((name) => named[name]));
  });

  it('can be paged by number too, and counted, beside a list of those that exist', async () => {
    const { body } = await server.graphql(`{
      deleted: programs(filter: { deleted: true }, size: 1, orderBy: DELETED_DESC) { count items { name } }
      existing: programs(size: 1) { count items { name } }
    }`);
    expect(body.data).toEqual({
      deleted: { count: 2, items: [{ name: 'Alchemy' }] },
      existing: { count: 1, items: [{ name: 'Physics' }] },
    });
    for (const [filter, count] of [['{ deleted: true }', 2] as const, ['{}', 1] as const]) {
      expect((await server.graphql(`{ programs(filter: ${filter}) { count } }`)).body.data.programs).toEqual({ count });
    }
  });

  it('pages by cursor in the order of deletion, forwards and backwards', async () => {
    const page = async (args: string) =>
      (
        await server.graphql(
          `{ branchesConnection(filter: { deleted: true }, orderBy: DELETED_ASC, ${args}) { edges { cursor node { id } } } }`,
        )
      ).body.data.branchesConnection.edges;
    const all = await page('first: 10');
    expect(await page(`first: 10, after: "${all[0].cursor}"`)).toEqual(all.slice(1));
    expect(await page(`last: 10, before: "${all[2].cursor}"`)).toEqual(all.slice(0, 2));
  });

  it('runs one statement', async () => {
    server.statements.length = 0;
    await server.graphql('{ branchesConnection(filter: { deleted: true }) { nodes { name program { name } } } }');
    expect(server.statements).toHaveLength(1);
  });
});

describe('deleted records', () => {
  const lists = ['programs', 'programsConnection', 'branchesConnection'];

  it('are listed for an editor, with a read-only key too', async () => {
    for (const readOnly of [false, true]) {
      const key = await server.makeKey({ role: 'editor', readOnly });
      for (const list of lists) {
        const { body } = await server.graphql(`{ ${list}(filter: { deleted: true }) { __typename } }`, {}, key);
        expect(body.errors, list).toBeUndefined();
      }
    }
  });

  it('are FORBIDDEN to those who may not restore them, whatever else the request has', async () => {
    const viewer = await server.makeKey({ role: 'viewer' });
    for (const list of lists) {
      for (const filter of ['{ deleted: true }', '{ deleted: true, ids: [-1] }']) {
        const { body } = await server.graphql(`{ ${list}(filter: ${filter}) { __typename } }`, {}, viewer);
        expect(body.errors[0], list).toMatchObject({
          message: 'You need the permission programs:write.',
          extensions: { code: 'FORBIDDEN' },
        });
      }
      const { body } = await server.graphql(`{ ${list}(filter: { deleted: false }) { __typename } }`, {}, viewer);
      expect(body.errors, list).toBeUndefined();
    }
  });

  it('alone can be ordered by the time of deletion', async () => {
    for (const list of lists) {
      const { body } = await server.graphql(`{ ${list}(orderBy: DELETED_DESC) { __typename } }`);
      expect(body.errors[0].extensions.errors, list).toEqual({
        orderBy: ['DELETED_DESC requires the filter deleted: true.'],
      });
    }
  });
});
