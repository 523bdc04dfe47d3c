import { describe, expect, it } from 'vitest';
import { subscribe } from '../support/event-stream.ts';
import { useInstances } from '../support/server.ts';

const [here, there] = useInstances(2);
const { database } = here;

const query = `subscription ($programId: Int, $after: String) {
  catalogChanged(programId: $programId, after: $after) {
    cursor action kind programId branchId program { name } branch { name }
  }
}`;
const changeEvent = (change: object) => ({ data: { catalogChanged: { cursor: expect.any(String), ...change } } });

describe('catalogChanged', () => {
  it('sends created, updated and deleted records, from another instance and from psql', async () => {
    const stream = await subscribe(here, query);
    const program = await there.make.program({ name: 'Physics' });
    const branch = await there.make.branch(program.id, { name: 'Optics' });
    await database.query('UPDATE programs SET name = $1 WHERE id = $2', ['Astrophysics', program.id]);
    await here.graphql(`mutation { deleteBranch(id: ${branch.id}) { id } }`);

    const ids = { programId: program.id, branchId: null };
    const ofBranch = { programId: program.id, branchId: branch.id, kind: 'BRANCH' };
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(await stream.result()).toMatchObject(changeEvent({ action: 'CREATE', kind: 'PROGRAM', ...ids }));
    expect(await stream.result()).toMatchObject(
      changeEvent({ action: 'CREATE', ...ofBranch, branch: { name: 'Optics' } }),
    );
    expect(await stream.result()).toMatchObject(
      changeEvent({ action: 'UPDATE', kind: 'PROGRAM', ...ids, program: { name: 'Astrophysics' } }),
    );
    expect(await stream.result()).toMatchObject(changeEvent({ action: 'DELETE', ...ofBranch }));
  });

  it('sends only changes of the requested program, and resumes after the last received change', async () => {
    const one = await here.make.program();
    const other = await here.make.program();
    const stream = await subscribe(here, query, { variables: { programId: one.id } });
    await here.make.branch(other.id);
    const first = await here.make.branch(one.id);
    const received = await stream.result();
    expect(received).toMatchObject(changeEvent({ programId: one.id, branchId: first.id }));
    stream.close();

    const second = await here.make.branch(one.id);
    const after = JSON.parse(JSON.stringify(received)).data.catalogChanged.cursor;
    const resumed = await subscribe(there, query, { variables: { programId: one.id, after } });

    expect(await resumed.result()).toMatchObject(changeEvent({ programId: one.id, branchId: second.id }));
  });
});
