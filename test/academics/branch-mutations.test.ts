import { describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { mutationsOf } from './record-mutations.ts';

const server = useSharedServer();

const fields =
  'id name description codePrefix codeIsNumeric version createdAt updatedAt years { id code year } program { id }';
const { create, update, remove, read, recorded } = mutationsOf(server, 'Branch', fields);

describe('createBranch', () => {
  it('creates a branch with its years, which can be read at once', async () => {
    const program = await server.make.program();
    const { data } = await create({
      programId: program.id,
      name: ' Optics ',
      years: 3,
      codePrefix: ' L ',
      codeIsNumeric: false,
      description: ' Light\n\tand lenses ',
    });

    const branch = data.createBranch;
    expect(branch).toEqual({
      id: expect.any(Number),
      name: 'Optics',
      description: ' Light\n\tand lenses ',
      codePrefix: 'L',
      codeIsNumeric: false,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: branch.createdAt,
      years: ['LA', 'LB', 'LC'].map((code, index) => ({ id: expect.any(Number), code, year: index + 1 })),
      program: { id: program.id },
    });
    expect(await read(branch.id)).toEqual(branch);
  });
});

describe('updateBranch', () => {
  it('clears a description', async () => {
    const { id } = await server.make.branch((await server.make.program()).id, { description: 'Light' });
    expect((await update(id, { description: '' })).data.updateBranch).toMatchObject({ description: '', version: 2 });
  });
});

describe('deleteBranch', () => {
  it('removes the branch from REST and GraphQL, but not its program or siblings', async () => {
    const program = await server.make.program();
    const [deleted, sibling] = [await server.make.branch(program.id), await server.make.branch(program.id)];
    const before = await read(deleted.id);

    expect(await remove(deleted.id)).toEqual({ data: { deleteBranch: before } });

    expect(await read(deleted.id)).toBeNull();
    const { body } = await server.graphql(`{ program(id: ${program.id}) { branches { id } } }`);
    expect(body.data.program.branches).toEqual([sibling]);
    const detail = await server.rest('get', `/api/academics/programs/${program.id}`);
    expect(detail.body.branches).toEqual([expect.objectContaining({ id: sibling.id })]);
    const response = await server.rest('get', `/api/academics/branches/${deleted.id}`);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 404,
      body: { message: `Branch ${deleted.id} does not exist.` },
    });
    expect(await recorded(deleted.id)).toEqual(['create', 'delete']);
  });
});

const mutate = async (field: string, id: number) =>
  (await server.graphql(`mutation ($id: Int!) { ${field}(id: $id) { id version } }`, { id })).body;
const branchesOf = async (id: number) =>
  (await server.rest('get', `/api/academics/programs/${id}`)).body.branches.map((branch: { id: number }) => branch.id);

describe('restoreProgram', () => {
  it('restores the branches that were deleted with the program, not those deleted before', async () => {
    const program = await server.make.program();
    const [before, first, second] = [
      await server.make.branch(program.id),
      await server.make.branch(program.id),
      await server.make.branch(program.id),
    ];
    await mutate('deleteBranch', before.id);
    await mutate('deleteProgram', program.id);
    expect((await server.rest('get', `/api/academics/branches/${first.id}`)).status).toBe(404);

    const { data } = await mutate('restoreProgram', program.id);

    expect(data.restoreProgram).toEqual({ id: program.id, version: 2 });
    expect(await branchesOf(program.id)).toEqual([first.id, second.id]);
    expect((await server.rest('get', `/api/academics/branches/${first.id}`)).status).toBe(200);
    expect((await server.rest('get', `/api/academics/branches/${before.id}`)).status).toBe(404);
  });

  it('does not change a program that is not deleted', async () => {
    const { id } = await server.make.program();
    expect((await mutate('restoreProgram', id)).data.restoreProgram).toEqual({ id, version: 1 });
  });
});

describe('restoreBranch', () => {
  it('restores a branch, which is then restored with its program too', async () => {
    const program = await server.make.program();
    const branch = await server.make.branch(program.id);
    await mutate('deleteBranch', branch.id);
    expect(await branchesOf(program.id)).toEqual([]);

    expect((await mutate('restoreBranch', branch.id)).data.restoreBranch).toEqual({ id: branch.id, version: 2 });
    expect(await branchesOf(program.id)).toEqual([branch.id]);

    await mutate('deleteProgram', program.id);
    await mutate('restoreProgram', program.id);
    expect(await branchesOf(program.id)).toEqual([branch.id]);
  });

  it('is a CONFLICT while the program is deleted', async () => {
    const program = await server.make.program();
    const branch = await server.make.branch(program.id);
    await mutate('deleteProgram', program.id);

    expect((await mutate('restoreBranch', branch.id)).errors[0]).toMatchObject({
      message: `Program ${program.id} is deleted: restore it first.`,
      extensions: { code: 'CONFLICT' },
    });
  });
});
