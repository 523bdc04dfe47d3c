import { describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { useServer } from '../support/server.ts';
import { invalid, mutationsOf, rejected } from './record-mutations.ts';

const server = useServer();
const make = factoriesFor(server);

const fields =
  'id name description codePrefix codeIsNumeric version createdAt updatedAt years { id code year } program { id }';
const { create, update, remove, read, recorded, notFound } = mutationsOf(server, 'Branch', fields);

describe('createBranch', () => {
  it('creates a branch with its years, readable over REST and GraphQL', async () => {
    const program = await make.program();
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
    const { id, name, description, years } = branch;
    expect((await server.rest('get', `/api/academics/branches/${id}`)).body).toEqual({ id, name, description, years });
  });

  it.each([
    ['absent', {}],
    ['null', { codePrefix: null, codeIsNumeric: null, description: null }],
  ])('uses the default of an optional field that is %s', async (_what, given) => {
    const { id } = await make.program();
    const { data } = await create({ programId: id, name: 'Optics', years: 2, ...given });
    expect(data.createBranch).toMatchObject({
      description: '',
      codePrefix: '',
      codeIsNumeric: true,
      years: [{ code: '1' }, { code: '2' }],
    });
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
    const { id } = await make.branch((await make.program()).id, { description: 'Light' });
    expect((await update(id, { description: '' })).data.updateBranch).toMatchObject({ description: '', version: 2 });
  });

  it('is a CONFLICT, with the current branch, when the version is not the expected one', async () => {
    const { id } = await make.branch((await make.program()).id);
    await update(id, { name: 'Second' });

    const message = `Branch ${id} has been changed: its version is 2, not 1.`;
    const { errors } = await update(id, { name: 'Third', expectedVersion: 1 });
    expect(errors).toEqual([
      expect.objectContaining({
        message,
        extensions: { code: 'CONFLICT', current: expect.objectContaining({ id, name: 'Second', version: 2 }) },
      }),
    ]);
    expect(await read(id)).toMatchObject({ name: 'Second', version: 2 });
    expect((await update(id, { name: 'Third', expectedVersion: 2 })).data.updateBranch.version).toBe(3);
  });

  it('reports every problem of the input at once, the id included', async () => {
    expect(await update(-1, { name: '', description: '\u0000' })).toEqual(
      invalid({
        id: ['id must not be negative.'],
        name: ['name must not be blank.'],
        description: ['description must not contain the NUL character.'],
      }),
    );
  });

  it('rejects a branch that does not exist', async () => {
    expect(await update(99_999, { name: 'Nobody' })).toEqual(notFound(99_999));
  });
});

describe('deleteBranch', () => {
  it('removes the branch from REST and GraphQL, but not its program or siblings', async () => {
    const program = await make.program();
    const [deleted, sibling] = [await make.branch(program.id), await make.branch(program.id)];
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
    const { id } = await make.branch((await make.program()).id);
    await remove(id);
    expect(await update(id, { name: 'Back' })).toEqual(notFound(id));
    expect(await remove(id)).toEqual(notFound(id));
  });
});
