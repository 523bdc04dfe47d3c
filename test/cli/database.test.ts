import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { newDataDir } from '../support/embedded.ts';

const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;

/** Says where it is, as PostgreSQL's programs find it out: from nothing but its environment. */
const whereAmI = `
  const { Client } = await import('pg');
  const client = new Client();
  await client.connect();
  const { rows: [row] } = await client.query('SELECT current_database() AS database, current_user AS user, count(*)::int AS users FROM users');
  console.log(JSON.stringify({ ...row, given: process.argv.slice(1) }));
  await client.end();`;
const program = [process.execPath, '--input-type=module', '--eval', whereAmI];

async function run(environment: Readonly<Record<string, string>>, ...words: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', main, 'database', ...words], {
    env: { PATH: '/usr/bin:/bin', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err };
}

it('runs a program on the embedded database, whether the service runs or not, with the arguments as they are', async () => {
  const DATA_DIR = await newDataDir();

  const { code, out } = await run(
    { DATA_DIR, PGHOST: 'elsewhere', PGSSLMODE: 'require' },
    ...program,
    'a',
    '--format=custom',
    '-f',
    'b',
  );

  expect(code).toBe(0);
  const given = ['a', '--format=custom', '-f', 'b'];
  expect(JSON.parse(out)).toEqual({ database: 'academic_structure', user: 'academic_structure', users: 0, given });
});

it('runs it on a database of your own', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());

  const { code, out, err } = await run({ DATABASE_URL: database.url }, '--', ...program, '--', '--help');

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({ database: new URL(database.url).pathname.slice(1), given: ['--help'] });
});

it('fails when the program does, or is not there', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const environment = { DATABASE_URL: database.url };

  expect(await Promise.all([run(environment, 'false'), run(environment, 'no-such-program', '-x')])).toEqual([
    { code: 1, out: '', err: 'false ended with exit code 1.\n' },
    { code: 1, out: '', err: 'There is no program no-such-program on this machine.\n' },
  ]);
});
