import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { render } from '../docs/kustomize.ts';

const execute = promisify(execFile);

/** The types of the Kubernetes API; too many for an installation that tests one folder by them. */
const types = 'kubernetes-models@5.1.0';

it('the API of Kubernetes has each field of deploy/kubernetes, of its type', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kubernetes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--prefer-offline', '--prefix', folder];
  await execute('npm', ['install', ...options, types], { cwd: folder });
  const check = async (fields: object) => {
    const lines = render().map((resource, index) => {
      const { apiVersion, kind } = resource;
      const value = JSON.stringify({ ...resource, ...fields });
      return `import type { I${kind} as Type${index} } from 'kubernetes-models/${apiVersion}';
        export const resource${index}: Type${index} = ${value};`;
    });
    await writeFile(path.join(folder, 'rendered.ts'), lines.join('\n'));
    const strict = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'esnext',
      '--types',
      '',
    ];
    return execute(path.resolve('node_modules/.bin/tsc'), [...strict, 'rendered.ts'], { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  };

  expect(await check({})).toBe('');
  expect(await check({ spek: {} })).toContain(`'"spek"' does not exist`);
});
