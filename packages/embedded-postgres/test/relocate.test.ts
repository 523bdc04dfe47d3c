import { lstat, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { finishMove, moveBehindLink } from '../src/relocate.ts';
import { newDataDir } from './support.ts';

/** A directory with a file, and its target path. */
async function setup(): Promise<{ folder: string; entry: string; target: string }> {
  const folder = path.dirname(await newDataDir());
  const entry = path.join(folder, 'entry');
  await mkdir(entry);
  await writeFile(path.join(entry, 'file'), 'content');
  return { folder, entry, target: path.join(folder, 'target') };
}

const content = (entry: string): Promise<string> => readFile(path.join(entry, 'file'), 'utf8');

it('moves a directory and leaves a link', async () => {
  const { folder, entry, target } = await setup();

  await moveBehindLink(entry, target);

  expect((await lstat(entry)).isSymbolicLink()).toBe(true);
  expect(await Promise.all([entry, target].map(content))).toEqual(['content', 'content']);
  expect(await readdir(folder)).toEqual(['entry', 'target']);
});

it('completes a move that was killed halfway', async () => {
  const { folder, entry, target } = await setup();
  await symlink(target, `${entry}.moved`);
  await rename(entry, target);

  await finishMove(entry);

  expect(await content(entry)).toBe('content');
  expect(await readdir(folder)).toEqual(['entry', 'target']);
});

it('repeats a move that was killed before that', async () => {
  const { folder, entry, target } = await setup();
  await symlink(target, `${entry}.moved`);

  await finishMove(entry);
  expect((await lstat(entry)).isDirectory()).toBe(true);
  await moveBehindLink(entry, path.join(folder, 'another'));

  expect(await content(entry)).toBe('content');
  expect(await readdir(folder)).toEqual(['entry', 'target']);
});

it('moves a directory once for concurrent calls', async () => {
  const { folder, entry } = await setup();

  await Promise.all([1, 2, 3, 4].map((number) => moveBehindLink(entry, path.join(folder, `target-${number}`))));

  expect(await content(entry)).toBe('content');
  expect(await readdir(folder)).toHaveLength(2);
});
