import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { sampleRequestOf, samplesOf } from '../../../site/docs/samples.ts';
import { exampleOrigin } from '../../../site/layout.ts';
import { examplesOf, inOrder, responseOf } from '../../openapi/expectations.ts';
import { adminKey, useServer } from '../../support/server.ts';

const run = promisify(execFile);

const server = useServer();

describe.each(['curl', 'JavaScript'])('the samples of the API reference in %s', (language) => {
  const fresh = useServer();

  it.each(inOrder)(
    'print the example response to $operation.operationId',
    async ({ method, path: below, operation }) => {
      const samples = samplesOf(sampleRequestOf(method, `/v1${below}`, operation));
      const code = String(samples.find(({ name }) => name === language)?.code)
        .replace(exampleOrigin, fresh.url)
        .replace('console.log(await response.json())', 'console.log(JSON.stringify(await response.json()))');
      const [command, ...options] =
        language === 'curl' ? ['sh', '-c'] : [process.execPath, '--input-type=module', '-e'];

      const env = { KEY: adminKey, PATH: inject('searchPath') };
      const { stdout } = await run(String(command), [...options, code], { env });

      expect(JSON.parse(stdout)).toEqual(examplesOf(responseOf(operation, method === 'post' ? 201 : 200))['example']);
    },
  );
});

describe('the OpenAPI document of a running service', () => {
  it('violates none of the recommended rules of Spectral', { timeout: 300_000 }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'spectral-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(path.join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]');
    // Installed by this test alone: it is two hundred packages.
    const spectral = ['--yes', '--package', '@stoplight/spectral-cli@6.16.3', 'spectral'];
    const lint = [...spectral, 'lint', '--fail-severity', 'hint'];

    const { stdout } = await run('npx', [...lint, `${server.url}/openapi.json`], {
      cwd: folder,
      env: { PATH: inject('searchPath') },
    });

    expect(stdout.trim()).toBe("No results with a severity of 'hint' or higher found!");
  });
});
