import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { waitingForLocks } from '@service/postgres/testing/table-lock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientForTest, useEmptiedDatabase } from '../support/database.ts';
import { builtCommandLine } from '../support/files.ts';

/** A device that is always full. */
const full = '/dev/full';

const sample = new URL('../import-export/import/sample.csv', import.meta.url).pathname;
const header = 'program_name,program_duration,branch_name,branch_years\n';

const database = useEmptiedDatabase();
let started: ChildProcessWithoutNullStreams[];

beforeEach(() => {
  started = [];
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
});

const start = (...words: string[]) => startWith({}, ...words);

function startWith(environment: Readonly<Record<string, string>>, ...words: string[]) {
  const child = spawn(process.execPath, [builtCommandLine, ...words], {
    env: { DATABASE_URL: database.url, ENV_FILE: '/dev/null', ...environment },
  });
  started.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.err += chunk.toString();
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }));
  return { child, ended };
}

/** Waits until a query has a row. */
async function untilThereIs(sql: string): Promise<void> {
  await vi.waitUntil(async () => (await database.query(sql)).length > 0, { timeout: 20_000, interval: 10 });
}

const tables = ['programs', 'branches', 'branch_years', 'audit_entries'];
const isUntouched = async (): Promise<boolean> => {
  const rows = await Promise.all(tables.map((table) => database.query(`SELECT 1 FROM ${table}`)));
  return rows.every((result) => result.length === 0);
};
/** An import that waits for its next row. */
const staging = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%staged_rows%'`;

describe('the command as a process', () => {
  it('exits with 1 after a failure and with 2 after a usage error, without a stack trace', async () => {
    const [failed, wrong] = await Promise.all([
      start('users', 'disable', 'nobody').ended,
      start('users', 'nonsense').ended,
    ]);

    expect(failed).toEqual({ code: 1, signal: null, out: '', err: 'User nobody does not exist.\n' });
    expect(wrong).toMatchObject({ code: 2, out: '', err: "error: unknown command 'nonsense'\n" });
  });

  it('warns once of a misspelt variable', async () => {
    const { code, err } = await startWith({ JWT_AUDIENC: 'x' }, 'check').ended;

    expect({ code, err }).toEqual({
      code: 0,
      err: 'JWT_AUDIENC is not a variable of this service: is JWT_AUDIENCE meant?\n',
    });
  });

  it.runIf(existsSync(full))('fails when its output cannot be written, though it was done', async () => {
    await using output = await open(full, 'w');
    const words = ['keys', 'create', '--user', 'ada', '--role', 'viewer'];
    const child = spawn(process.execPath, [builtCommandLine, ...words], {
      env: { DATABASE_URL: database.url, ENV_FILE: '/dev/null' },
      stdio: ['ignore', output.fd, 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [code] = await once(child, 'close');

    expect(code).toBe(1);
    expect(said).toMatch(/^Cannot write: ENOSPC.*\n$/m);
  });

  it('exits quietly when its reader closes the pipe', async () => {
    await database.query(
      `INSERT INTO programs (name, duration) SELECT repeat('x', 200) || n, '1' FROM generate_series(1, 5000) n`,
    );
    const { child, ended } = start('export');
    child.stdout.once('data', () => child.stdout.destroy());

    const logged = expect.stringMatching(/^\{.+"outcome":"failed","msg":"export"\}\n$/);
    expect(await ended).toMatchObject({ code: 0, signal: null, err: logged });
  });

  it('prints its result and exits with 0; records have the time of their creation, however long a file takes to arrive', async () => {
    const { child, ended } = start('import', '-', '--json');
    child.stdin.write(`${header}Science,3 years,Optics,2\n`);
    await untilThereIs(staging);
    const [row] = await database.query(`SELECT date_trunc('milliseconds', clock_timestamp()) AS arriving`);
    child.stdin.end(`Arts,1,,\n`);

    const { code, out, err } = await ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ outcome: 'imported', branches: { created: 1 } });
    const times = await database.query(`
      SELECT created_at AS at FROM programs UNION ALL SELECT updated_at FROM programs
      UNION ALL SELECT created_at FROM branches UNION ALL SELECT updated_at FROM branches
      UNION ALL SELECT at FROM audit_entries`);
    expect(times).toHaveLength(10);
    for (const { at } of times) expect(Number(at)).toBeGreaterThanOrEqual(Number(row?.['arriving']));
  });

  it('imports nothing when it receives SIGHUP while reading', async () => {
    const { child, ended } = start('import', '-');
    child.stdin.write(`${header}Science,3 years,Optics,2\n`);
    await untilThereIs(staging);
    child.kill('SIGHUP');

    expect(await ended).toEqual({ code: 129, signal: null, out: '', err: 'Interrupted.\n' });
    expect(await isUntouched()).toBe(true);
  });

  it('imports nothing when it is stopped while it waits for the database', async () => {
    const other = await clientForTest(database.url);
    await other.query('SELECT pg_advisory_lock($1)', [0x75_61_73_33]); // As a concurrent import does.
    const { child, ended } = start('import', sample);
    await untilThereIs(`SELECT 1 ${waitingForLocks} AND locktype = 'advisory'`);
    child.kill('SIGTERM');

    const end = await ended;
    expect(end).toMatchObject({ code: 143, signal: null, out: '' });
    expect(end.err).toMatch(/Interrupted\.\n$/);
    expect(await database.query(`SELECT 1 ${waitingForLocks} AND locktype = 'advisory'`)).toEqual([]);
    expect(await isUntouched()).toBe(true);
  });

  it('reports what it has imported when it is stopped after the commit', async () => {
    const other = await clientForTest(database.url);
    // ANALYZE runs after the commit; this lock blocks it and nothing before it.
    await other.query('BEGIN; LOCK TABLE programs IN SHARE UPDATE EXCLUSIVE MODE');
    const { child, ended } = start('import', sample);
    await untilThereIs(`SELECT 1 ${waitingForLocks} AND mode = 'ShareUpdateExclusiveLock'`);
    child.kill('SIGINT');

    const end = await ended;
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.out).toMatch(/^Imported 14 of 14 rows/);
    expect(end.err).not.toContain('Interrupted');
    expect(await isUntouched()).toBe(false);
  });
});
