import { describe, expect, it } from 'vitest';
import { importFile } from '../../import-export/import/import-file.ts';
import { useSharedServer } from '../../support/server.ts';
import { programSnapshot } from '../../support/snapshots.ts';

const server = useSharedServer();

const query = `query ($program: Int!) {
  program(id: $program) {
    history { totalCount nodes { action after } }
    branches { history(first: 1) { nodes { subject subjectId action } } }
  }
}`;

describe('history', () => {
  it('lists the changes of a program and of its branches for an administrator', async () => {
    const program = await server.make.program({ name: 'First' });
    const branch = await server.make.branch(program.id);
    await server.graphql(`mutation { updateProgram(id: ${program.id}, input: { name: "Second" }) { id } }`);

    const response = await server.graphql(query, { program: program.id });

    expect(response.body).toEqual({
      data: {
        program: {
          history: {
            totalCount: 2,
            nodes: [
              { action: 'UPDATE', after: programSnapshot({ name: 'Second', duration: '4 Years' }) },
              { action: 'CREATE', after: programSnapshot({ name: 'First', duration: '4 Years' }) },
            ],
          },
          branches: [{ history: { nodes: [{ subject: 'BRANCH', subjectId: branch.id, action: 'CREATE' }] } }],
        },
      },
    });
  });

  it('records branches that are deleted and restored with their program, and no others', async () => {
    const program = await server.make.program();
    const branch = await server.make.branch(program.id);
    const gone = await server.make.branch(program.id);
    await server.graphql(`mutation { deleteBranch(id: ${gone.id}) { id } }`);
    await server.graphql(`mutation { deleteProgram(id: ${program.id}) { id } }`);
    await server.graphql(`mutation { restoreProgram(id: ${program.id}) { id } }`);

    const response = await server.graphql(
      `query ($id: Int!, $gone: Int!) {
        branch(id: $id) { version name history { nodes { action actor before after requestId } } }
        gone: auditLog(filter: { subject: BRANCH, subjectId: $gone }) { nodes { action } }
      }`,
      { id: branch.id, gone: gone.id },
    );

    const { version, name, history } = response.body.data.branch;
    const shown = expect.objectContaining({ programId: program.id, name });
    const author = { actor: history.nodes[2].actor, requestId: expect.stringMatching(/./) };
    expect(version).toBe(2);
    expect(history.nodes).toEqual([
      { action: 'RESTORE', before: null, after: shown, ...author },
      { action: 'DELETE', before: shown, after: null, ...author },
      { action: 'CREATE', before: null, after: shown, ...author },
    ]);
    expect(response.body.data.gone.nodes).toEqual([{ action: 'DELETE' }, { action: 'CREATE' }]);
  });

  it('of a program with its branches has what happened to each while it belonged to it, in pages', async () => {
    const [program, other] = [await server.make.program({ name: 'Physics' }), await server.make.program()];
    const optics = await server.make.branch(program.id, { name: 'Optics' });
    const guest = await server.make.branch(other.id, { name: 'Guest' });
    const change = async (id: number, input: string) => {
      const { body } = await server.graphql(`mutation { updateBranch(id: ${id}, input: { ${input} }) { id } }`);
      expect(body).toEqual({ data: { updateBranch: { id } } });
    };
    await change(guest.id, `programId: ${program.id}`);
    await change(optics.id, 'name: "Light"');
    await change(optics.id, `programId: ${other.id}`);
    await change(optics.id, 'name: "Elsewhere"');
    await server.graphql(`mutation { deleteBranch(id: ${guest.id}) { id } }`);
    const read = async (page: string) => {
      const { body } = await server.graphql(`{ program(id: ${program.id}) { history(withBranches: true, ${page}) {
        totalCount pageInfo { endCursor hasNextPage } nodes { action subject before after }
      } } }`);
      return body.data.program.history;
    };

    const { nodes, totalCount } = await read('first: 20');
    const shown = nodes.map(({ action, subject, before, after }: Record<string, Record<string, unknown> | null>) => [
      `${action} ${subject}`,
      ...[before, after].map((state) => state && `${state['name']} in ${state['programId']}`),
    ]);
    const [here, there] = [program.id, other.id];
    expect(shown).toEqual([
      ['DELETE BRANCH', `Guest in ${here}`, null],
      ['UPDATE BRANCH', `Light in ${here}`, `Light in ${there}`],
      ['UPDATE BRANCH', `Optics in ${here}`, `Light in ${here}`],
      ['UPDATE BRANCH', `Guest in ${there}`, `Guest in ${here}`],
      ['CREATE BRANCH', null, `Optics in ${here}`],
      ['CREATE PROGRAM', null, 'Physics in undefined'],
    ]);
    expect(totalCount).toBe(6);

    const page = await read('first: 4');
    const rest = await read(`first: 4, after: "${page.pageInfo.endCursor}"`);
    const last = await read('last: 2');
    expect([page.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
    expect([...page.nodes, ...rest.nodes]).toEqual(nodes);
    expect(last.nodes).toEqual(rest.nodes);
  });

  it('is for those who may edit the record, read-only keys included', async () => {
    const program = await server.make.program();
    await server.make.branch(program.id);
    const asRole = async (role: 'viewer' | 'editor', readOnly = false) =>
      server.graphql(query, { program: program.id }, await server.makeKey({ role, readOnly }));

    expect((await asRole('editor')).body.data.program.history.totalCount).toBe(1);
    expect((await asRole('editor', true)).body.data.program.history.totalCount).toBe(1);
    expect((await asRole('viewer')).body.errors[0]).toMatchObject({
      message: 'You need the permission programs:write.',
      extensions: { code: 'FORBIDDEN' },
    });
  });

  it('shows each change at once, though responses are cached', async () => {
    const program = await server.make.program();
    const count = async () =>
      (await server.graphql(query, { program: program.id })).body.data.program.history.totalCount;
    expect([await count(), await count()]).toEqual([1, 1]);
    await server.database.query(
      `INSERT INTO audit_entries (actor, action, subject, subject_id) VALUES ('psql', 'update', 'Program', $1)`,
      [program.id],
    );
    expect(await count()).toBe(2);
  });
});

describe('catalogHistory', () => {
  const query = '{ catalogHistory(first: 2) { nodes { action changeId after } } }';

  it('lists imports and what was undone to editors, newest first', async () => {
    await server.make.program();
    const file = 'program_name,program_duration,branch_name,branch_years\nHistory,3 Years,,\n';
    const { body } = await importFile(server, file, { query: { fileName: 'history.csv' } });
    await server.graphql(`mutation { undoChange(changeId: "${body.changeId}") { undone } }`);
    const key = await server.makeKey({ role: 'editor' });

    const response = await server.graphql(query, undefined, key);
    expect(response.body).toEqual({
      data: {
        catalogHistory: {
          nodes: [
            {
              action: 'UNDO',
              changeId: expect.any(String),
              after: { changeId: body.changeId, undone: 1, programs: 1, branches: 0, left: 0 },
            },
            {
              action: 'IMPORT',
              changeId: body.changeId,
              after: expect.objectContaining({ file: 'history.csv', rows: 1 }),
            },
          ],
        },
      },
    });
  });
});
