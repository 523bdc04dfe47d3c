import { describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const query = `query ($program: Int!) {
  program(id: $program) {
    history { totalCount nodes { action after } }
    branches { history(first: 1) { nodes { subject subjectId action } } }
  }
}`;

describe('history', () => {
  it('lists the changes of a program and of its branches for an administrator', async () => {
    const make = factoriesFor(server);
    const program = await make.program({ name: 'First' });
    const branch = await make.branch(program.id);
    await server.graphql(`mutation { updateProgram(id: ${program.id}, input: { name: "Second" }) { id } }`);

    const response = await server.graphql(query, { program: program.id });

    expect(response.body).toEqual({
      data: {
        program: {
          history: {
            totalCount: 2,
            nodes: [
              { action: 'UPDATE', after: { name: 'Second', duration: '4 Years', code: null, attributes: {} } },
              { action: 'CREATE', after: { name: 'First', duration: '4 Years', code: null, attributes: {} } },
            ],
          },
          branches: [{ history: { nodes: [{ subject: 'BRANCH', subjectId: branch.id, action: 'CREATE' }] } }],
        },
      },
    });
  });

  it('records branches that are deleted and restored with their program, and no others', async () => {
    const make = factoriesFor(server);
    const program = await make.program();
    const branch = await make.branch(program.id);
    const gone = await make.branch(program.id);
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

  it('records all 6,000 branches that are deleted with their program', async () => {
    const program = await factoriesFor(server).program();
    await server.database.query(
      `INSERT INTO branches (program_id, name) SELECT $1, 'Branch ' || n FROM generate_series(1, 6000) n`,
      [program.id],
    );
    const response = await server.graphql(`mutation { deleteProgram(id: ${program.id}) { id } }`);

    expect(response.body).toEqual({ data: { deleteProgram: { id: program.id } } });
    const entries = `SELECT count(*)::integer AS entries FROM audit_entries JOIN branches b ON b.id = subject_id
      WHERE subject = 'Branch' AND action = 'delete' AND program_id = $1`;
    expect(await server.database.query(entries, [program.id])).toEqual([{ entries: 6_000 }]);
  });

  it('is for those who may edit the record, read-only keys included', async () => {
    const make = factoriesFor(server);
    const program = await make.program();
    await make.branch(program.id);
    const asRole = async (role: 'viewer' | 'editor', readOnly = false) =>
      server.graphql(query, { program: program.id }, await makeKey(server.database, { role, readOnly }));

    expect((await asRole('editor')).body.data.program.history.totalCount).toBe(1);
    expect((await asRole('editor', true)).body.data.program.history.totalCount).toBe(1);
    expect((await asRole('viewer')).body.errors[0]).toMatchObject({
      message: 'You need the permission programs:write.',
      extensions: { code: 'FORBIDDEN' },
    });
  });

  it('shows each change at once, though responses are cached', async () => {
    const program = await factoriesFor(server).program();
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
