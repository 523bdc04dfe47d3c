import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { madeDataDir } from '@service/embedded-postgres/testing';
import { expect, it, onTestFinished } from 'vitest';
import { libpqVariables } from '../../src/cli/commands/database.ts';
import { databaseForTest } from '../support/database.ts';
import { builtCommandLine } from '../support/files.ts';
import { runCommand } from './run-command.ts';

/** Prints its connection, which it takes from environment variables alone, as PostgreSQL's programs do. */
const whereAmI = `
  const { Client } = await import('pg');
  const client = new Client();
  await client.connect();
  const { rows: [row] } = await client.query('SELECT current_database() AS database, current_user AS user, count(*)::int AS roles FROM pg_roles WHERE rolname = current_user');
  console.log(JSON.stringify({ ...row, args: process.argv.slice(1) }));
  await client.end();`;
const program = [process.execPath, '--input-type=module', '--eval', whereAmI];

async function run(environment: Readonly<Record<string, string>>, ...words: string[]) {
  const child = spawn(process.execPath, [builtCommandLine, 'database', ...words], {
    env: { PATH: '/usr/bin:/bin', ENV_FILE: '/dev/null', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err };
}

it('runs a program with its arguments on the embedded database, whether the service runs or not', async () => {
  const DATA_DIR = await madeDataDir();

  const { code, out } = await run(
    { DATA_DIR, PGHOST: 'elsewhere', PGSSLMODE: 'require' },
    ...program,
    'a',
    '--format=custom',
    '-f',
    'b',
  );

  expect(code).toBe(0);
  const args = ['a', '--format=custom', '-f', 'b'];
  expect(JSON.parse(out)).toEqual({ database: 'academic_structure', user: 'academic_structure', roles: 1, args });
});

it('runs a program on the database of DATABASE_URL', async () => {
  const database = await databaseForTest();

  const { code, out, err } = await run({ DATABASE_URL: database.url }, '--', ...program, '--', '--help');

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({ database: new URL(database.url).pathname.slice(1), args: ['--help'] });
});

it.each([
  ['an IPv6 address', 'postgresql://ada:p%40ss@[::1]:5433/x', { PGHOST: '::1', PGPORT: '5433', PGPASSWORD: 'p@ss' }],
  ['no port', 'postgresql://ada@db.example.org/x%20y', { PGHOST: 'db.example.org', PGPORT: undefined, PGUSER: 'ada' }],
  ['a socket', 'postgresql://ada@localhost/x?host=/run/postgresql', { PGHOST: '/run/postgresql', PGDATABASE: 'x' }],
  ['parameters', 'postgresql://h/x?user=b&password=c&port=7', { PGUSER: 'b', PGPASSWORD: 'c', PGPORT: '7' }],
  ['an escaped slash', 'postgresql://h/x%2Fy?sslmode=disable', { PGDATABASE: 'x%2Fy', PGSSLMODE: 'disable' }],
  [
    'certificates',
    'postgresql://h/x?sslmode=verify-full&sslrootcert=openapi.json&sslcert=package.json&sslkey=schema.graphql',
    { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'openapi.json', PGSSLCERT: 'package.json', PGSSLKEY: 'schema.graphql' },
  ],
  [
    'several hosts',
    'postgresql://localhost/x?host=a,b&port=1,2&target_session_attrs=read-write',
    { PGHOST: 'a,b', PGPORT: '1,2', PGTARGETSESSIONATTRS: 'read-write' },
  ],
])('connects a program as the service connects, by %s', (_what, url, expected) => {
  expect(libpqVariables(url)).toMatchObject(expected);
});

it.each([
  ['fails', ['false'], 'false exited with code 1.\n'],
  ['does not exist', ['no-such-program', '-x'], 'Program not found: no-such-program.\n'],
  ['is ended by a signal', ['sh', '--', '-c', 'kill -INT $$'], 'sh was terminated by SIGINT.\n'],
])('fails when the program %s', async (_how, words, err) => {
  const database = await databaseForTest();

  expect(await runCommand(database.url, ['database', ...words])).toEqual({ exitCode: 1, out: '', err });
});

/** Reports when it is ready and interrupted; then queries the database and exits. */
const interruptible = `
  const { Client } = await import('pg');
  process.on('SIGINT', () => console.log('interrupted'));
  console.log('ready');
  process.stdin.once('data', async () => {
    const client = new Client();
    await client.connect();
    console.log((await client.query('SELECT 42 AS answer')).rows[0].answer);
    await client.end();
    process.exit(0);
  });`;

/** Runs a program in its own process group, which receives Ctrl-C as a whole, as in a terminal. */
function runInGroup(environment: Readonly<Record<string, string>>, code: string) {
  const words = ['database', process.execPath, '--input-type=module', '--eval', code];
  const child = spawn(process.execPath, [builtCommandLine, ...words], {
    env: { PATH: '/usr/bin:/bin', ENV_FILE: '/dev/null', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const group = -(child.pid ?? Number.NaN);
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(group, 'SIGKILL');
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => (await lines.next()).value;
  const ended = Promise.all([text(child.stderr), once(child, 'close')]).then(([err, [exitCode]]) => ({
    err,
    exitCode,
  }));
  return { child, group, next, ended };
}

it('leaves Ctrl-C to the program, and keeps the database open until it exits', async () => {
  const { child, group, next, ended: end } = runInGroup({ DATA_DIR: await madeDataDir() }, interruptible);
  expect(await next()).toBe('ready');

  for (let times = 0; times < 2; times += 1) {
    process.kill(group, 'SIGINT');
    expect(await next()).toBe('interrupted');
  }
  child.stdin.write('go on\n');

  expect(await next()).toBe('42');
  expect(await end).toMatchObject({ exitCode: 0 });
});

it('forwards SIGTERM to the program', async () => {
  const database = await databaseForTest();
  const waiting = `process.on('SIGTERM', () => { console.log('stopping'); process.exit(0); }); console.log('ready'); setInterval(() => {}, 1000);`;

  const stopped = runInGroup({ DATABASE_URL: database.url }, waiting);
  expect(await stopped.next()).toBe('ready');
  stopped.child.kill('SIGTERM');

  expect(await stopped.next()).toBe('stopping');
  expect(await stopped.ended).toEqual({ err: 'Interrupted.\n', exitCode: 143 });
});
