import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer();

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
