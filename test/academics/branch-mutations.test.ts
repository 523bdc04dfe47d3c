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
