import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
const write = async (query: string, variables: object = {}) => (await server.graphql(query, variables)).body;
const createBranch = `mutation ($input: CreateBranchInput!) { createBranch(input: $input) { id code name } }`;
const updateBranch = `mutation ($id: Int!, $input: UpdateBranchInput!) {
  updateBranch(id: $id, input: $input) { id code version }
}`;
const newBranch = async (programId: number, fields: object = {}) =>
  (await write(createBranch, { input: { programId, name: 'Optics', years: 1, ...fields } })).data.createBranch;

describe('the code of a branch', () => {
  it('is stored as that of a program is: trimmed, none when it is empty, in the audit log', async () => {
    const { id } = await server.make.program();
    const branch = await newBranch(id, { code: ' OPT ' });
    expect(branch).toMatchObject({ code: 'OPT' });
    for (const code of [undefined, null, '', ' ']) expect(await newBranch(id, { code })).toMatchObject({ code: null });
    const history = `{ branch(id: ${branch.id}) { history { nodes { after } } } }`;
    expect((await write(history)).data.branch.history.nodes).toEqual([
      { after: expect.objectContaining({ code: 'OPT', name: 'Optics', years: 1 }) },
    ]);
  });

  it('is cleared by null and the empty text, and stays when it is absent', async () => {
    const { id } = await newBranch((await server.make.program()).id, { code: 'OPT' });
    const update = async (input: object) => (await write(updateBranch, { id, input })).data.updateBranch;
    expect(await update({ name: 'Light' })).toMatchObject({ code: 'OPT', version: 2 });
    expect(await update({ code: null })).toMatchObject({ code: null, version: 3 });
    expect(await update({ code: null })).toMatchObject({ code: null, version: 3 });
    expect(await update({ code: 'LGT' })).toMatchObject({ code: 'LGT', version: 4 });
    expect(await update({ code: '' })).toMatchObject({ code: null, version: 5 });
  });

  it('is found by a search for branches, and for programs with their branches', async () => {
    const program = await server.make.program({ name: 'Wood' });
    const { id } = await newBranch(program.id, { code: 'ÉBN-7', name: 'Ebony' });
    const found = await write(`{
      branchesConnection(filter: { search: "ebn-7" }) { nodes { id } totalCount }
      programs(filter: { search: "ebn-7", searchBranches: true }) { items { id } }
      none: programs(filter: { search: "ebn-7" }) { items { id } }
    }`);
    expect(found.data).toEqual({
      branchesConnection: { nodes: [{ id }], totalCount: 1 },
      programs: { items: [{ id: program.id }] },
      none: { items: [] },
    });
  });

  it('is neither taken nor shown over REST', async () => {
    const { id: programId } = await server.make.program();
    const body = { programId, name: 'Optics', years: 1, code: 7 };
    const created = await server.rest('post', '/api/academics/branches').send(body);
    expect(created.body).toEqual({ id: expect.any(Number), name: 'Optics', description: '' });
    const { data } = await write(`{ branch(id: ${created.body.id}) { code } }`);
    expect(data.branch.code).toBeNull();
    await write(updateBranch, { id: created.body.id, input: { code: 'OPT' } });
    const retrieved = await server.rest('get', `/api/academics/branches/${created.body.id}`);
    expect(Object.keys(retrieved.body)).toEqual(['id', 'name', 'description', 'years']);
  });
});

describe('filters by codes', () => {
  let made: { readonly programs: number[]; readonly branches: number[] };
  beforeAll(async () => {
    const one = (await server.make.program({ name: 'One', code: 'F-1' })).id;
    const two = (await server.make.program({ name: 'Two', code: 'F-2' })).id;
    const plain = await newBranch(one, { code: 'F-A', codePrefix: 'FA' });
    const other = await newBranch(two, { code: 'F-A', codePrefix: 'FB', years: 2 });
    made = { programs: [one, two], branches: [plain.id, other.id] };
  });

  it.each<[object, readonly number[]]>([
    [{ codes: ['F-1', 'F-2', 'F-3'] }, [0, 1]],
    [{ codes: [' F-2\n'] }, [1]],
    [{ codes: ['f-2', 'F-'] }, []],
    [{ codes: [] }, []],
    [{ codes: ['F-1'], search: 'two' }, []],
  ])('find programs: %j', async (filter, places) => {
    const query = `query ($filter: ProgramFilter) {
      programs(filter: $filter) { items { id } count }
      programsConnection(filter: $filter) { nodes { id } totalCount }
    }`;
    const items = places.map((place) => ({ id: made.programs[place] }));
    expect((await write(query, { filter })).data).toEqual({
      programs: { items, count: items.length },
      programsConnection: { nodes: items, totalCount: items.length },
    });
  });

  it.each<[object, readonly number[]]>([
    [{ codes: ['F-A'] }, [0, 1]],
    [{ yearCodes: ['FB2'] }, [1]],
    [{ yearCodes: ['FA1', 'FB1', 'FB2'] }, [0, 1]],
    [{ yearCodes: ['F'] }, []],
    [{ codes: ['F-A'], yearCodes: ['FA1'] }, [0]],
  ])('find branches: %j', async (filter, places) => {
    const query = `query ($filter: BranchFilter) { branchesConnection(filter: $filter) { nodes { id } totalCount } }`;
    const nodes = places.map((place) => ({ id: made.branches[place] }));
    expect((await write(query, { filter })).data.branchesConnection).toEqual({ nodes, totalCount: nodes.length });
  });

  it('take up to 1,000 codes, of the rules of a code', async () => {
    const query = 'query ($filter: BranchFilter) { branchesConnection(filter: $filter) { totalCount } }';
    const list = Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(40, 'x'));
    expect((await write(query, { filter: { codes: list, yearCodes: list } })).data.branchesConnection.totalCount).toBe(
      0,
    );
    const { errors } = await write(query, { filter: { codes: [...list, 'x'], yearCodes: ['x'.repeat(51), 'a\nb'] } });
    expect(errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: {
        filter: [
          'codes must be at most 1000.',
          'yearCodes must be at most 50 characters long.',
          'yearCodes must be on one line, without control characters.',
        ],
      },
    });
  });
});
