import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const execute = promisify(execFile);
const root = path.join(import.meta.dirname, '..', '..');

it('the first stage of the container copies all that the build reads', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'container-build-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [, stage = ''] = (await readFile(path.join(root, 'Dockerfile'), 'utf8')).split('\nFROM ');
  const { stdout } = await execute('git', ['ls-files', '-z'], { cwd: root });
  const tracked = stdout.split('\0').filter((file) => file !== '');
  for (const [, line = ''] of stage.matchAll(/^COPY (.*) \S+$/gm)) {
    const names = line.split(' ');
    const copied = tracked.filter((file) => names.some((name) => file === name || file.startsWith(`${name}/`)));
    expect(copied.length).toBeGreaterThanOrEqual(names.length);
    for (const file of copied) await cp(path.join(root, file), path.join(folder, file));
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await symlink(path.join(root, 'console', 'node_modules'), path.join(folder, 'console', 'node_modules'));

  await execute(process.execPath, ['build.js', '--quiet'], { cwd: folder });
  const outputs = await Promise.all(
    ['dist', 'console/dist', 'site/dist', 'licenses/dist'].map((one) => readdir(path.join(folder, one))),
  );
  expect(outputs.every((files) => files.length > 0)).toBe(true);
});
