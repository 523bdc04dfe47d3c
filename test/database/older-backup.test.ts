import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { backUp } from '@service/backup/backup';
import { restore } from '@service/backup/restore';
import { migrate } from '@service/postgres/migrations/migrate';
import { expect, it, onTestFinished } from 'vitest';
import { backupContent as content } from '../../src/database/backup-content.ts';
import { migrations as source } from '../../src/database/migrations.ts';
import { createTestDatabase } from '../support/database.ts';

const { signal } = new AbortController();
const columnsOfAll = `SELECT table_name, column_name, data_type, is_nullable, column_default
  FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`;
const triggersOfAll = `SELECT tgrelid::regclass::text AS on, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`;

// It restores one backup for each migration.
it('restores and migrates a backup of any older version', { timeout: 90_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'older-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const all = (await readdir('prisma/migrations')).filter((name) => !name.endsWith('.toml')).sort();
  const fresh = await createTestDatabase();
  onTestFinished(() => fresh.close());
  const expected = [await fresh.query(columnsOfAll), await fresh.query(triggersOfAll)];

  // Migrated from version to version; each backup has records that were written in that version.
  const versions = await createTestDatabase(null);
  onTestFinished(() => versions.close());
  const there = await createTestDatabase();
  onTestFinished(() => there.close());
  const migrations = path.join(folder, 'migrations');
  for (const [index, name] of all.slice(0, -1).entries()) {
    const known = index + 1;
    await cp(path.join('prisma/migrations', name), path.join(migrations, name), { recursive: true });
    expect(await migrate(versions.url, { ...source, folder: pathToFileURL(`${migrations}/`) })).toEqual([name]);
    await versions.query(`DELETE FROM branches; DELETE FROM programs; DELETE FROM users;
      INSERT INTO programs (name, duration, updated_at) VALUES ('Физика', '4 Years', now());
      INSERT INTO branches (program_id, name, updated_at) SELECT id, 'Optics', now() FROM programs;
      INSERT INTO users (name, role) VALUES ('ada', 'viewer')`);
    const file = path.join(folder, `backup-${known}`);
    await backUp({ url: versions.url, content, file, signal });
    await there.query(`INSERT INTO programs (name, duration, updated_at) VALUES ('Old', '1 Year', now())`);

    const { migrated } = await restore({ url: there.url, content, file, force: true, signal, report: () => undefined });

    expect(migrated).toEqual(all.slice(known));
    expect([await there.query(columnsOfAll), await there.query(triggersOfAll)]).toEqual(expected);
    expect(
      await there.query('SELECT p.name, b.name AS branch FROM programs p JOIN branches b ON b.program_id = p.id'),
    ).toEqual([{ name: 'Физика', branch: 'Optics' }]);
    expect(await there.query('SELECT name, role FROM users')).toEqual([{ name: 'ada', role: 'viewer' }]);
    expect(await migrate(there.url, source)).toEqual([]);
  }
});

it('rejects a backup of a newer version', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'newer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const file = path.join(folder, 'backup');
  await backUp({ url: database.url, content, file, signal });
  const lines = gunzipSync(await readFile(file)).toString();
  const body = lines.slice(0, lines.lastIndexOf('\n', lines.length - 2) + 1);
  const newer = body.replace('"migrations":[', '"migrations":["29990101000000_later",');
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const end = lines.slice(body.length).replace(sha256(body), sha256(newer));
  await writeFile(file, gzipSync(newer + end));

  await expect(
    restore({ url: database.url, content, file, force: true, signal, report: () => undefined }),
  ).rejects.toThrow('This backup is from a newer version: restore it with that version.');
});
