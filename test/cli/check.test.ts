import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databaseForTest, useDatabase } from '../support/database.ts';
import { runCommand } from './run-command.ts';

const database = useDatabase();

const findings = async (url = database.url, env: Readonly<Record<string, string>> = {}) => {
  const { exitCode, out } = await runCommand(url, ['check', '--json'], { env });
  return { exitCode, found: JSON.parse(out) };
};

describe('check', () => {
  it('finds nothing on a migrated database, and says what it looked at', async () => {
    expect(await findings()).toEqual({
      exitCode: 0,
      found: [
        { check: 'configuration', result: 'ok', detail: 'valid' },
        // The embedded server of the tests may be behind.
        {
          check: 'database',
          result: expect.stringMatching(/^(?:ok|warning)$/),
          detail: expect.stringMatching(/^PostgreSQL \d+/),
        },
        { check: 'jit', result: 'ok', detail: 'off' },
        { check: 'migrations', result: 'ok', detail: expect.stringMatching(/^all \d+ are applied$/) },
        { check: 'clock', result: 'ok', detail: expect.stringMatching(/^\d+ ms (?:behind|ahead of) the database$/) },
        { check: 'notifications', result: 'ok', detail: expect.stringMatching(/^one arrived after \d+ ms$/) },
      ],
    });
    const { out } = await runCommand(database.url, ['check'], { terminal: true });
    expect(out).toMatch(/^CHECK +RESULT +DETAIL\nconfiguration +ok +valid\n/);
  });

  it.each([['check'], ['migrate', '--status']])('makes no database where there is none: %s', async (...words) => {
    const dataDir = join(tmpdir(), `no-database-${randomUUID()}`);
    const { exitCode, out, err } = await runCommand('', words, { env: { DATA_DIR: dataDir } });
    expect(exitCode).toBe(1);
    expect(out + err).toContain(`There is no database in ${dataDir} yet. Start the service once to create it.`);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });

  it('changes nothing: pending migrations are a failure', async () => {
    const empty = await databaseForTest(null);
    const { exitCode, found } = await findings(empty.url);
    expect([exitCode, found[3]]).toEqual([
      1,
      {
        check: 'migrations',
        result: 'failed',
        detail: expect.stringMatching(/^(\d+) of \1 are pending; the command migrate applies them$/),
      },
    ]);
    expect(await empty.query(`SELECT to_regclass('programs') AS found`)).toEqual([{ found: null }]);
  });

  it('warns where a pooler keeps the JIT compiler on, until it is off for the database', async ({ skip }) => {
    const database = await databaseForTest();
    const [server] = await database.query('SELECT pg_jit_available() AS compiles, current_database() AS name');
    if (server?.['compiles'] !== true) skip('The embedded server has no such compiler.');
    const behindPooler = `${database.url}?pgbouncer=true`;
    const { exitCode, found } = await findings(behindPooler);
    const name = server?.['name'];
    const detail = `PostgreSQL compiles statements behind the pooler, which can take longer than to run them: set jit = off for the role or the database (ALTER ROLE … SET jit = off), and let the pooler reconnect`;
    expect([exitCode, found[2]]).toEqual([0, { check: 'jit', result: 'warning', detail }]);
    await database.query(`ALTER DATABASE ${name} SET jit = off`);
    expect((await findings(behindPooler)).found[2]).toEqual({ check: 'jit', result: 'ok', detail: 'off' });
  });

  it('fails without a database, and with invalid variables, which it names in one line', async () => {
    const nowhere = await findings('postgresql://nobody@127.0.0.1:1/nothing');
    expect([nowhere.exitCode, nowhere.found[1]]).toEqual([
      1,
      { check: 'database', result: 'failed', detail: expect.stringContaining('The database cannot be reached') },
    ]);
    const invalid = await findings(database.url, { PORT: 'x', JWT_JWKS_URL: 'none' });
    const detail = 'PORT must be a whole number from 0 to 65535; JWT_JWKS_URL must be an http or https address';
    expect(invalid).toEqual({ exitCode: 1, found: [{ check: 'configuration', result: 'failed', detail }] });
  });
});
