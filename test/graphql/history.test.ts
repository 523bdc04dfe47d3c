import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { makeFor } from '../support/make.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const query = `query ($program: Int!) {
  program(id: $program) {
    history { totalCount nodes { action after } }
    branches { history(first: 1) { nodes { subject subjectId action } } }
  }
}`;

describe('history', () => {
  it('tells an administrator what happened to a program and to its branches', async () => {
    const make = makeFor(server);
    const program = await make.program({ name: 'First' });
    const branch = await make.branch(program.id);
    await server.graphql(`mutation { updateProgram(id: ${program.id}, input: { name: "Second" }) { id } }`);

    const answer = await server.graphql(query, { program: program.id });

    expect(answer.body).toEqual({
      data: {
        program: {
          history: {
            totalCount: 2,
            nodes: [
              { action: 'update', after: { name: 'Second', duration: '4 Years', code: null } },
              { action: 'create', after: { name: 'First', duration: '4 Years', code: null } },
            ],
          },
          branches: [{ history: { nodes: [{ subject: 'Branch', subjectId: branch.id, action: 'create' }] } }],
        },
      },
    });
  });

  it('is refused to all others', async () => {
    const program = await makeFor(server).program();
    const answer = await server.graphql(
      query,
      { program: program.id },
      await makeKey(server.database, { role: 'editor' }),
    );
    expect(answer.body.errors[0]).toMatchObject({
      message: 'You need the permission admin.',
      extensions: { code: 'FORBIDDEN' },
    });
  });
});
