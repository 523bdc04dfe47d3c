import { randomUUID } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inWords } from '../../src/cli/database-checks.ts';
import { databaseForTest, useDatabase } from '../support/database.ts';
import { makeFolder } from '../support/files.ts';
import { freePort } from '../support/process.ts';
import { runCommand } from './run-command.ts';

const database = useDatabase();

const findings = async (url = database.url, env: Readonly<Record<string, string>> = {}) => {
  const { exitCode, out } = await runCommand(url, ['check', '--json'], { env });
  return { exitCode, found: JSON.parse(out) };
};

const behindPooler = (url: string): string => {
  const address = new URL(url);
  address.searchParams.set('pgbouncer', 'true');
  return address.href;
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
    const { exitCode, found } = await findings(behindPooler(database.url));
    const name = server?.['name'];
    const detail = `PostgreSQL compiles statements behind the pooler, which can take longer than to run them: set jit = off for the role or the database (ALTER ROLE … SET jit = off), and let the pooler reconnect`;
    expect([exitCode, found[2]]).toEqual([0, { check: 'jit', result: 'warning', detail }]);
    await database.query(`ALTER DATABASE ${name} SET jit = off`);
    expect((await findings(behindPooler(database.url))).found[2]).toEqual({
      check: 'jit',
      result: 'ok',
      detail: 'off',
    });
  });

  it('warns of what a pooler keeps otherwise outside transactions', async () => {
    const database = await databaseForTest();
    const [{ name } = {}] = await database.query('SELECT current_database() AS name');
    await database.query(`ALTER DATABASE ${name} SET default_transaction_isolation = serializable`);
    const remedy = 'default_transaction_isolation = read committed';
    const detail = `behind the pooler default_transaction_isolation is serializable: set ${remedy} for the role or the database (ALTER ROLE … SET ${remedy}), and let the pooler reconnect`;
    const { exitCode, found } = await findings(behindPooler(database.url));
    expect([exitCode, found]).toEqual([0, expect.arrayContaining([{ check: 'session', result: 'warning', detail }])]);
    expect((await findings(database.url)).found).not.toContainEqual(expect.objectContaining({ check: 'session' }));
  });

  it('warns of identifiers that are half taken', async () => {
    const { url, query } = await databaseForTest();
    await query(`SELECT setval('branch_years_id_seq', 1073741825)`);
    expect((await findings(url)).found).toContainEqual({
      check: 'identifiers',
      result: 'warning',
      detail: '50 % of the identifiers of branch_years are taken',
    });
  });

  it('finds a database of another version', async () => {
    const database = await databaseForTest();
    await database.query(`UPDATE _prisma_migrations SET checksum = 'other'`);
    const { exitCode, found } = await findings(database.url);
    const detail = expect.stringMatching(/^The database is of another version: .* docs\/upgrading\.md\.$/);
    expect([exitCode, found]).toEqual([1, expect.arrayContaining([{ check: 'migrations', result: 'failed', detail }])]);
  });

  it('finds what the start would: persisted operations that it cannot read', async () => {
    const file = join(makeFolder(), 'operations.json');
    const env = { GRAPHQL_PERSISTED_OPERATIONS_FILE: file };
    const resultOf = async () => {
      const { exitCode, found } = await findings(database.url, env);
      return [exitCode, found.find(({ check }: { check: string }) => check === 'persisted operations')];
    };
    const check = 'persisted operations';
    const missing = 'GRAPHQL_PERSISTED_OPERATIONS_FILE names a file that cannot be read.';
    expect(await resultOf()).toEqual([1, { check, result: 'failed', detail: missing }]);
    await writeFile(file, '{ "a": "{ nothing }" }');
    expect(await resultOf()).toEqual([
      1,
      { check, result: 'failed', detail: expect.stringContaining('contains an invalid operation, a: ') },
    ]);
    await writeFile(file, '{ "a": "{ ping { status } }" }');
    expect(await resultOf()).toEqual([0, { check, result: 'ok', detail: 'the file is valid' }]);
  });

  it('finds what the start would warn of: a sign-in that nobody can use, and keys of tokens that cannot be read', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const env = { OIDC_ISSUER: nowhere, JWT_JWKS_URL: `${nowhere}/keys`, JWT_ISSUER: nowhere, JWT_AUDIENCE: 'here' };
    const { exitCode, found } = await findings(database.url, env);
    expect([exitCode, found]).toEqual([
      0,
      expect.arrayContaining([
        {
          check: 'tokens',
          result: 'warning',
          detail: expect.stringMatching(/^The keys at JWT_JWKS_URL could not be read \(.*\)/),
        },
        {
          check: 'sign-in',
          result: 'warning',
          detail:
            "Nobody can sign in with the university's account: OIDC_CLIENT_ID is required; PUBLIC_URL is required. API keys work.",
        },
      ]),
    ]);
    const complete = { ...env, OIDC_CLIENT_ID: 'here', PUBLIC_URL: 'https://catalog.example.edu' };
    expect((await findings(database.url, complete)).found).toContainEqual({
      check: 'sign-in',
      result: 'warning',
      detail: expect.stringMatching(/^OIDC discovery failed at OIDC_ISSUER: it cannot be reached/),
    });
  });

  it('names the variable that is wrong', async () => {
    const nowhere = `postgresql://nobody@127.0.0.1:${await freePort()}/nothing`;
    const unreachable = (variable: string) =>
      expect.stringMatching(new RegExp(`^The database cannot be reached: .*\\. Check ${variable}\\.$`));
    const wrong = await findings(nowhere);
    expect(wrong.found).toContainEqual({ check: 'database', result: 'failed', detail: unreachable('DATABASE_URL') });
    const direct = await findings(database.url, { DATABASE_DIRECT_URL: nowhere });
    const detail = unreachable('DATABASE_DIRECT_URL');
    expect(direct).toEqual({
      exitCode: 1,
      found: expect.arrayContaining([
        expect.objectContaining({ check: 'database', detail: expect.stringMatching(/^PostgreSQL/) }),
        { check: 'migrations', result: 'failed', detail },
        { check: 'notifications', result: 'failed', detail },
      ]),
    });
    const other = await databaseForTest();
    expect((await findings(database.url, { DATABASE_DIRECT_URL: other.url })).found).toContainEqual({
      check: 'notifications',
      result: 'warning',
      detail: 'none arrived; DATABASE_DIRECT_URL leads to another database than DATABASE_URL, or to a pooler',
    });
    for (const words of [['users', 'list'], ['migrate']]) {
      const { err } = await runCommand(database.url, words, { env: { DATABASE_DIRECT_URL: nowhere } });
      expect(err).toMatch(/Check DATABASE_DIRECT_URL\.\n$/);
    }
  });

  it.each([
    [999, '999 ms'],
    [1_000, '1 second'],
    [62_000, '1 minute 2 seconds'],
    [3_600_000, '1 hour'],
    [19_800_000, '5 hours 30 minutes'],
    [2 * 86_400_000 + 59_000, '2 days'],
  ])('says a difference of clocks of %i ms in words', (ms, words) => {
    expect(inWords(ms)).toBe(words);
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
