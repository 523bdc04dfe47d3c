import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { adminKey, useServer } from '../support/server.ts';

const run = promisify(execFile);
const cwd = 'examples/rest-client';

describe('a client generated from openapi.json', () => {
  const server = useServer();
  beforeAll(() => run('npm', ['ci', '--prefer-offline'], { cwd }));

  it('type-checks against the generated types', async () => {
    const { stderr } = await run('npm', ['run', '--silent', 'check'], { cwd });

    expect(stderr).not.toContain('error');
  });

  it('calls all six operations', async () => {
    const env = { KEY: adminKey, BASE_URL: `${server.url}/v1` };
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'client.ts'], { cwd, env });

    expect(JSON.parse(stdout)).toEqual({
      status: 'ok',
      program: {
        id: 1,
        name: 'Bachelor of Design',
        duration: '4 Years',
        branches: [{ id: 1, name: 'Product Design', description: '' }],
      },
      branch: {
        id: 1,
        name: 'Product Design',
        description: '',
        years: [
          { id: 1, code: 'PDA', year: 1 },
          { id: 2, code: 'PDB', year: 2 },
        ],
      },
      names: ['Bachelor of Design'],
      problems: { name: ['name must not be blank.'], duration: ['duration must not be blank.'] },
    });
  });
});
