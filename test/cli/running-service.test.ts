import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Run, runCommand } from './run-command.ts';

const sample = new URL('../import-export/sample.csv', import.meta.url).pathname;

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const run = (...words: string[]): Promise<Run> => runCommand(server.database.url, words);

describe('while the service runs', () => {
  const statusWith = async (key: string) => (await server.rest('get', '/api/academics/programs', key.trim())).status;

  it('a created key works at once, and both keys work during the overlap of a rotation', async () => {
    const created = JSON.parse((await run('keys', 'create', '--user', 'vera', '--role', 'viewer', '--json')).out);
    expect(await statusWith(created.key)).toBe(200);

    const rotated = await run('keys', 'rotate', String(created.id), '--overlap', '1h');
    expect([await statusWith(created.key), await statusWith(rotated.out)]).toEqual([200, 200]);
  });

  it('imported programs are served', async () => {
    await run('import', sample);

    const { body: program } = await server.rest('get', '/api/academics/programs/2');
    expect(program).toMatchObject({ id: 2, name: 'Bachelor of Science', branches: [{ name: 'Physics' }, {}, {}] });
    const { body: branch } = await server.rest('get', '/api/academics/branches/8');
    expect(branch).toMatchObject({ name: 'History', years: [{ code: 'HA' }, { code: 'HB' }, { code: 'HC' }] });
    const { body } = await server.graphql(`{
      program(id: 2) { history { nodes { action actor after } } }
      branch(id: 8) { history { nodes { action actor before } } }
    }`);
    expect(body.data).toEqual({
      program: {
        history: {
          nodes: [
            {
              action: 'CREATE',
              actor: 'cli',
              after: { name: 'Bachelor of Science', duration: '3 years', code: 'BSC', attributes: {} },
            },
          ],
        },
      },
      branch: { history: { nodes: [{ action: 'CREATE', actor: 'cli', before: null }] } },
    });
  });
});
