import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { backUp } from '@service/backup/backup';
import { restore } from '@service/backup/restore';
import { migrate } from '@service/postgres/migrations/migrate';
import { expect, it } from 'vitest';
import { backupContent as content } from '../../src/database/backup-content.ts';
import { migrations } from '../../src/database/open-postgres.ts';
import { databaseForTest } from '../support/database.ts';
import { makeFolder } from '../support/files.ts';

const { signal } = new AbortController();

it('restores and migrates a backup of an older version', async () => {
  const folder = makeFolder();
  const file = path.join(folder, 'backup');
  const [older, newer] = [await databaseForTest(), await databaseForTest()];
  await older.query(`INSERT INTO programs (name, duration) VALUES ('Физика', '4 Years');
    INSERT INTO branches (program_id, name) SELECT id, 'Optics' FROM programs`);
  await backUp({ url: older.url, content, file, signal });
  const later = path.join(folder, 'migrations', '30000101000000_level');
  await cp('prisma/migrations', path.join(folder, 'migrations'), { recursive: true });
  await mkdir(later);
  await writeFile(
    path.join(later, 'migration.sql'),
    'ALTER TABLE programs ADD COLUMN level text; UPDATE programs SET level = search_fold(name)',
  );
  const migrationsFolder = pathToFileURL(`${folder}/migrations/`);
  const source = { ...migrations, folder: migrationsFolder };
  await migrate(newer.url, source);
  await newer.query(`INSERT INTO programs (name, duration, level) VALUES ('Old', '1 Year', 'none')`);
  await newer.query(`CREATE FUNCTION of_others(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
    CREATE FUNCTION log_rows_max(int) RETURNS int LANGUAGE sql AS 'SELECT $1'`);
  const triggers = `SELECT tgrelid::regclass::text AS on, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`;
  const expected = await newer.query(triggers);

  const options = { url: newer.url, content: { ...content, migrationsFolder }, file, force: true, signal };
  const { migrated } = await restore({ ...options, report: () => undefined });

  expect(migrated).toEqual(['30000101000000_level']);
  expect(await newer.query(triggers)).toEqual(expected);
  expect(
    await newer.query('SELECT p.name, level, b.name AS branch FROM programs p JOIN branches b ON b.program_id = p.id'),
  ).toEqual([{ name: 'Физика', level: 'физика', branch: 'Optics' }]);
  expect(await newer.query(`SELECT of_others('theirs'), log_rows_max(7)`)).toEqual([
    { of_others: 'theirs', log_rows_max: 7 },
  ]);
  expect(await migrate(newer.url, source)).toEqual([]);
});
