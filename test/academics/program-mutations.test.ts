import { describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { programSnapshot } from '../support/snapshots.ts';
import { mutationsOf } from './record-mutations.ts';

const server = useSharedServer();

const fields = 'id name duration code version createdAt updatedAt branches { id }';
const { update, remove, read } = mutationsOf(server, 'Program', fields);

describe('updateProgram', () => {
  it('is a CONFLICT, with the current program, when the version is not the expected one', async () => {
    const { id } = await server.make.program({ duration: '4 Years' });
    await update(id, { name: 'Second' });
    const { updatedAt } = await read(id);

    for (const expectedVersion of [1, 3, 0, -1]) {
      const message = `Program ${id} has been changed: its version is 2, not ${expectedVersion}.`;
      const current = { id, ...programSnapshot({ name: 'Second', duration: '4 Years' }), version: 2, updatedAt };
      const extensions = { code: 'CONFLICT', current };
      expect(await update(id, { name: 'Third', expectedVersion })).toEqual({
        data: { updateProgram: null },
        errors: [expect.objectContaining({ message, extensions: expect.objectContaining(extensions) })],
      });
    }
    expect(await read(id)).toMatchObject({ name: 'Second', version: 2 });
    expect((await update(id, { name: 'Third', expectedVersion: 2 })).data.updateProgram.version).toBe(3);
  });

  it('loses none of ten concurrent updates', async () => {
    const { id } = await server.make.program();
    await Promise.all(Array.from({ length: 10 }, (_, index) => update(id, { name: `By ${index}` })));
    expect(await read(id)).toMatchObject({ version: 11 });
  });
});

describe('deleteProgram', () => {
  it('removes the program and its branches from REST and GraphQL', async () => {
    const { id } = await server.make.program({ name: 'Gone' });
    const branch = await server.make.branch(id);
    const before = await read(id);
    const { count } = (await server.rest('get', '/api/academics/programs')).body;

    const { data } = await remove(id);

    expect(data.deleteProgram).toEqual({ ...before, branches: [] });
    expect(await read(id)).toBeNull();
    const { body } = await server.graphql(
      `{ branch(id: ${branch.id}) { id } programs(filter: { ids: [${id}] }) { count items { id } } }`,
    );
    expect(body.data).toEqual({ branch: null, programs: { count: 0, items: [] } });
    for (const [path, message] of [
      [`programs/${id}`, `Program ${id} does not exist.`],
      [`branches/${branch.id}`, `Branch ${branch.id} does not exist.`],
    ]) {
      const response = await server.rest('get', `/api/academics/${path}`);
      expect({ status: response.status, body: response.body }).toEqual({ status: 404, body: { message } });
    }
    const list = (await server.rest('get', '/api/academics/programs?size=100')).body;
    expect(list.count).toBe(count - 1);
    expect(list.items.map((item: { id: number }) => item.id)).not.toContain(id);
  });

  it('makes later changes of its branches and new branches fail', async () => {
    const { id } = await server.make.program();
    const branch = await server.make.branch(id);
    await remove(id);

    const { body } = await server.graphql(
      `mutation { updateBranch(id: ${branch.id}, input: { name: "Back" }) { id } }`,
    );
    expect(body.errors[0]).toMatchObject({ message: `Branch ${branch.id} does not exist.` });
    const created = await server.rest('post', '/api/academics/branches').send({ programId: id, name: 'New', years: 1 });
    expect({ status: created.status, body: created.body }).toEqual({
      status: 404,
      body: { message: `Program ${id} does not exist.` },
    });
  });
});

describe('several mutations in one request', () => {
  it('are executed in order, each seeing the effects of those before', async () => {
    const { id } = await server.make.program({ name: 'First' });
    const { body } = await server.graphql(`mutation {
      second: updateProgram(id: ${id}, input: { name: "Second" }) { name version }
      branch: createBranch(input: { programId: ${id}, name: "Optics", years: 1 }) { program { name branches { name } } }
      third: updateProgram(id: ${id}, input: { name: "Third", expectedVersion: 2 }) { name version branches { name } }
    }`);
    expect(body.data).toEqual({
      second: { name: 'Second', version: 2 },
      branch: { program: { name: 'Second', branches: [{ name: 'Optics' }] } },
      third: { name: 'Third', version: 3, branches: [{ name: 'Optics' }] },
    });
  });
});
