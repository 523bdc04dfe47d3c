import { mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, it } from 'vitest';
import { EmbeddedPostgresError } from '../src/errors.ts';
import { openEmbeddedDatabase } from '../src/open.ts';
import { madeDataDir, newDataDir, openForTest, query } from './support.ts';

/** The error message of opening a data directory; rejects if it opens. */
async function openError(dataDir: string): Promise<string> {
  const error = await openEmbeddedDatabase({
    name: inject('embeddedName'),
    dataDir,
    log: () => undefined,
    durable: false,
  }).then(
    (database) => database.close().then(() => undefined),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EmbeddedPostgresError))
    throw new Error(`Expected an EmbeddedPostgresError, not ${String(error)}`);
  return error.message;
}

it('reports unusable files in one line with a remedy, and opens them once repaired', async () => {
  const dataDir = await madeDataDir();
  const opened = await openForTest({ dataDir });
  await opened.close();
  const directory = path.join(dataDir, 'postgres');
  const password = await readFile(path.join(directory, 'password'), 'utf8');

  const damages: [file: string, damage: (file: string) => Promise<void>, message: string][] = [
    [
      'cluster/PG_VERSION',
      (file) => writeFile(file, '17\n'),
      `${directory} holds a database of PostgreSQL 17, which PostgreSQL 18 cannot open: back it up with the version that made it, and restore that into a new one.`,
    ],
    [
      'cluster/PG_VERSION',
      (file) => rm(file),
      `${directory} does not hold a complete database: ${directory}/cluster/PG_VERSION is missing.`,
    ],
    [
      'cluster/global/pg_control',
      (file) => truncate(file, 100),
      'PostgreSQL does not start: could not read file "global/pg_control": read 100 of 296.',
    ],
    [
      'cluster/global/pg_filenode.map',
      (file) => writeFile(file, 'nonsense'),
      'PostgreSQL does not start: could not read file "global/pg_filenode.map": read 8 of 524.',
    ],
    [
      'password',
      (file) => writeFile(file, 'not-the-password'),
      `PostgreSQL does not accept the password in ${directory}/password.`,
    ],
  ];
  for (const [name, damage, message] of damages) {
    const file = path.join(directory, name);
    const intact = await readFile(file);
    await damage(file);

    const error = await openError(dataDir);

    // PostgreSQL may exit before or after it has accepted a connection.
    expect(error.replace('does not work:', 'does not start:')).toBe(message);
    expect(error).not.toContain(password);
    await writeFile(file, intact);
  }
  const { url } = await openForTest({ dataDir });
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('rejects a data directory that is a file', async () => {
  const dataDir = await newDataDir();
  await writeFile(dataDir, '');

  expect(await openError(dataDir)).toBe(`Not a directory: ${dataDir}.`);
});

it('rejects a data directory that cannot be created', async () => {
  const file = await newDataDir();
  await writeFile(file, '');
  const dataDir = path.join(file, 'data');

  expect(await openError(dataDir)).toBe(`Not a directory: ${dataDir}.`);
});

// Node's recursive `mkdir` would never end there.
it.runIf(process.platform === 'linux')('rejects a data directory where no directory can be', async () => {
  for (const dataDir of ['/proc/embedded', '/proc/embedded/data']) {
    expect(await openError(dataDir)).toBe('No directory can be created in /proc.');
  }
});

it('does not create a new database in place of a missing one', async () => {
  const dataDir = await newDataDir();
  await mkdir(dataDir);
  await symlink('/nowhere', path.join(dataDir, 'postgres'));

  expect(await openError(dataDir)).toBe(
    `The database that ${dataDir}/postgres links to does not exist. Remove the link to create a new database.`,
  );
});
