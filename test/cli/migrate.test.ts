import { readMigrations } from '@service/postgres/migrations/migrations';
import { expect, it } from 'vitest';
import { migrations } from '../../src/database/open-postgres.ts';
import { databaseForTest } from '../support/database.ts';
import { runCommand } from './run-command.ts';

const names = readMigrations(migrations.folder).map(({ name }) => name);
const ofAnotherVersion = `The database is of another version: its migration ${names[0]} is not the one of this version. Export the catalog with the version that made it, and import it here into a new database: docs/upgrading.md.`;
const lines = (state: string): string => names.map((name) => `${state}  ${name}\n`).join('');

it('migrates a database when the service is configured not to', async () => {
  const { url } = await databaseForTest(null);
  const env = { MIGRATE_ON_START: 'false' };
  const pending = `${names.length} of ${names.length} migrations are pending.\n`;

  expect(await runCommand(url, ['migrate', '--status'], { env })).toEqual({
    exitCode: 1,
    out: lines('pending'),
    err: pending,
  });
  expect(await runCommand(url, ['users', 'list'], { env })).toEqual({
    exitCode: 1,
    out: '',
    err: `The database lacks the migrations ${names.join(', ')}, and MIGRATE_ON_START is false: run npm run cli -- migrate.\n`,
  });
  expect(await runCommand(url, ['migrate'], { env })).toEqual({ exitCode: 0, out: lines('applied'), err: '' });
  expect(await runCommand(url, ['migrate', '--status'], { env })).toEqual({
    exitCode: 0,
    out: lines('applied'),
    err: '',
  });
  expect(await runCommand(url, ['users', 'list'], { env })).toEqual({ exitCode: 0, out: '[]\n', err: '' });
});

it.each([['migrate'], ['migrate', '--status'], ['users', 'list']])(
  'tells of a database of another version what to do, and changes nothing: %s %s',
  async (...words) => {
    const { url, query } = await databaseForTest();
    await query(`UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name = $1`, [names[0]]);
    expect(await runCommand(url, words)).toEqual({ exitCode: 1, out: '', err: `${ofAnotherVersion}\n` });
  },
);

it('is not needed to run a program on a database, which migrates nothing', async () => {
  const { url, query } = await databaseForTest(null);

  expect(await runCommand(url, ['database', 'true'])).toEqual({ exitCode: 0, out: '', err: '' });

  expect(await query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
});

it('prints the result as JSON', async () => {
  const { url } = await databaseForTest(null);

  const before = await runCommand(url, ['migrate', '--status', '--json']);
  const after = await runCommand(url, ['migrate', '--json']);

  expect(JSON.parse(before.out)).toEqual(names.map((name) => ({ name, appliedAt: null })));
  expect(JSON.parse(after.out)).toEqual(
    names.map((name) => ({ name, appliedAt: expect.stringMatching(/^\d{4}-.*Z$/) })),
  );
});
