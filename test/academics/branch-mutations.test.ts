import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { invalid, mutationsOf, rejected } from './record-mutations.ts';

const server = useServer();

const fields =
  'id name description codePrefix codeIsNumeric version createdAt updatedAt years { id code year } program { id }';
const { create, update, remove, read, recorded, notFound } = mutationsOf(server, 'Branch', fields);

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

  it.each([
    [3, 'L', true, ['L1', 'L2', 'L3']],
    [2, '', true, ['1', '2']],
    [2, '', false, ['A', 'B']],
    [10, 'Y', true, ['Y1', 'Y2', 'Y3', 'Y4', 'Y5', 'Y6', 'Y7', 'Y8', 'Y9', 'Y10']],
    [10, 'Y', false, ['YA', 'YB', 'YC', 'YD', 'YE', 'YF', 'YG', 'YH', 'YI', 'YJ']],
  ])(
    'numbers years from 1, with codes of prefix and number, or letter: %i, %j, %j',
    async (count, codePrefix, codeIsNumeric, codes) => {
      const { id: programId } = await server.make.program();
      const { data } = await create({ programId, name: 'Optics', years: count, codePrefix, codeIsNumeric });
      expect(data.createBranch.years).toEqual(
        codes.map((code, index) => ({ id: expect.any(Number), code, year: index + 1 })),
      );
    },
  );

  it('reports every problem of the input at once', async () => {
    expect(
      await create({
        programId: 0,
        name: '\u2028',
        years: 11,
        codePrefix: 'x'.repeat(21),
        description: 'x'.repeat(2_001),
      }),
    ).toEqual(
      invalid({
        programId: ['programId must be 1 or more.'],
        name: ['name must not be blank.'],
        years: ['years must be from 1 to 10.'],
        codePrefix: ['codePrefix must be at most 20 characters long.'],
        description: ['description must be at most 2000 characters long.'],
      }),
    );
  });

  it('rejects a program that does not exist', async () => {
    const response = await create({ programId: 2_147_483_647, name: 'Optics', years: 1 });
    expect(response).toEqual(rejected('Program 2147483647 does not exist.', 'NOT_FOUND'));
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

  it('makes later updates and deletes fail with NOT_FOUND', async () => {
    const { id } = await server.make.branch((await server.make.program()).id);
    await remove(id);
    expect(await update(id, { name: 'Back' })).toEqual(notFound(id));
    expect(await remove(id)).toEqual(notFound(id));
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
