import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { backUp } from '@service/backup/backup';
import { restore } from '@service/backup/restore';
import { lockTable } from '@service/postgres/testing/table-lock';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { backupContent as content } from '../../src/database/backup-content.ts';
import { runCommand } from '../cli/run-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { factoriesFor } from '../support/factories.ts';
import { within } from '../support/running-time.ts';
import { startTestServer } from '../support/server.ts';

vi.setConfig({ testTimeout: 60_000 });

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'backup-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, 'academic-structure.backup');
}

const tables = ['programs', 'branches', 'branch_years', 'users', 'api_keys', 'audit_entries', 'idempotency_records'];

/** All rows of all tables in PostgreSQL's text format. */
async function contentOf(database: TestDatabase): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const table of tables) {
    const rows = await database.query(`SELECT t::text AS line FROM ${table} AS t ORDER BY 1`);
    content[table] = rows.map(({ line }) => line);
  }
  return content;
}

const text = fc.string({ unit: 'binary', maxLength: 30 }).map((value) => value.replaceAll(/[\0\uD800-\uDFFF]/g, '�'));
const awkward = fc.constantFrom(
  '',
  ' ',
  'NULL',
  '\\N',
  '"',
  "'",
  '(a,b)',
  '{"a"}',
  '\\',
  '\r\n',
  '\n',
  '\u2028',
  'é',
  '"\\",,',
);
const anyText = fc.oneof(text, awkward);
const instant = fc
  .date({ min: new Date('0100-01-01T00:00:00Z'), max: new Date('9000-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const records = fc.record({
  programs: fc.array(
    fc.record({
      name: anyText,
      code: fc.option(anyText),
      createdAt: instant,
      deletedAt: fc.option(instant),
      branches: fc.array(
        fc.record({ name: anyText, description: anyText, codes: fc.array(anyText, { maxLength: 3 }) }),
        {
          maxLength: 3,
        },
      ),
    }),
    { maxLength: 5 },
  ),
  audited: fc.array(fc.json(), { maxLength: 4 }),
});
type Records = typeof records extends fc.Arbitrary<infer Value> ? Value : never;

async function fill(database: TestDatabase, { programs, audited }: Records): Promise<void> {
  for (const { name, code, createdAt, deletedAt, branches } of programs) {
    const [program] = await database.query(
      `INSERT INTO programs (name, duration, code, created_at, updated_at, deleted_at)
        VALUES ($1, $1, $2, $3, $3, $4) RETURNING id`,
      [name, code, createdAt, deletedAt],
    );
    for (const branch of branches) {
      const [made] = await database.query(
        `INSERT INTO branches (program_id, name, description, updated_at) VALUES ($1, $2, $3, now()) RETURNING id`,
        [program?.['id'], branch.name, branch.description],
      );
      for (const [index, yearCode] of branch.codes.entries()) {
        const sql = 'INSERT INTO branch_years (branch_id, year, code) VALUES ($1, $2, $3)';
        await database.query(sql, [made?.['id'], index + 1, yearCode]);
      }
    }
  }
  for (const after of audited) {
    await database.query(
      `INSERT INTO audit_entries (actor, action, subject, subject_id, after) VALUES ('a', 'b', 'c', 1, $1)`,
      [after.replaceAll('\\u0000', '')],
    );
  }
}

describe('a backup', () => {
  it('has all tables but those that migrations fill again', async () => {
    const relations = await (await newDatabase()).query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'm')
        AND relname <> '_prisma_migrations' AND NOT EXISTS (
          SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')`,
    );

    const known: readonly string[] = [...content.tables, ...content.derived];
    expect(relations.filter(({ name }) => !known.includes(String(name)))).toEqual([]);
  });

  it('restores identical rows of all tables into another database', async () => {
    const file = await newFile();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(records, async (some) => {
        run += 1;
        const [here, elsewhere] = [await createTestDatabase(), await createTestDatabase()];
        try {
          await fill(here, some);
          await runCommand(here.url, ['users', 'add', 'ada', '--role', 'editor']);
          await runCommand(here.url, ['keys', 'create', '--user', 'ada', '--name', 'laptop']);
          expect(await runCommand(here.url, ['backup', `${file}-${run}`])).toMatchObject({ exitCode: 0, err: '' });
          const restored = await runCommand(elsewhere.url, ['restore', `${file}-${run}`]);
          expect(restored).toMatchObject({ exitCode: 0, err: '' });
          expect(await contentOf(elsewhere)).toEqual(await contentOf(here));
        } finally {
          await Promise.all([here.close(), elsewhere.close()]);
        }
      }),
      { numRuns: 4 },
    );
  });

  it('is a consistent snapshot of many rows during concurrent writes', async () => {
    const [here, elsewhere, file] = [await newDatabase(), await newDatabase(), await newFile()];
    await here.query(`INSERT INTO programs (name, duration, updated_at)
      SELECT 'Program ' || n, repeat('x', 300), now() FROM generate_series(1, 7001) AS n`);
    let done = false;
    const writing = (async () => {
      while (!done)
        await here.query(`WITH created AS (INSERT INTO programs (name, duration) VALUES ('New', 'x') RETURNING id)
          INSERT INTO branches (program_id, name) SELECT id, 'Its only branch' FROM created`);
    })();

    const { exitCode, out } = await runCommand(here.url, ['--json', 'backup', file]);
    done = true;
    await writing;

    const { rows } = JSON.parse(out);
    expect({ exitCode, atLeast: rows.programs >= 7001 }).toEqual({ exitCode: 0, atLeast: true });
    expect(rows.branches).toBe(rows.programs - 7001);
    expect(await runCommand(elsewhere.url, ['restore', file])).toMatchObject({ exitCode: 0 });
    const [counted] = await elsewhere.query('SELECT count(*)::int AS count, max(id) AS last FROM programs');
    expect(counted).toEqual({ count: rows.programs, last: rows.programs });
    const [next] = await elsewhere.query(
      `INSERT INTO programs (name, duration, updated_at) VALUES ('Next', 'x', now()) RETURNING id > $1 AS fresh`,
      [rows.programs],
    );
    expect(next).toEqual({ fresh: true });
  });

  it('is readable by its owner only, overwrites no file, and leaves no partial file after an error', async () => {
    const [database, file] = [await newDatabase(), await newFile()];

    const logged: object[] = [];
    const onLog = (line: object) => logged.push(line);
    await runCommand(database.url, ['backup', file], { onLog });
    const { size, mode } = await stat(file);
    expect(mode & 0o777).toBe(0o600);
    const who = { level: 30, msg: 'backup', actor: 'cli', systemUser: expect.any(String) };
    const before = await readFile(file);
    expect(await runCommand(database.url, ['backup', file], { onLog })).toEqual({
      exitCode: 1,
      out: '',
      err: `${file} already exists.\n`,
    });
    expect(logged).toEqual([
      expect.objectContaining({ ...who, outcome: 'done', bytes: size, records: 0 }),
      expect.objectContaining({ ...who, outcome: 'failed' }),
    ]);
    const nowhere = path.join(path.dirname(file), 'none', 'file');
    expect(await runCommand(database.url, ['backup', nowhere])).toEqual({
      exitCode: 1,
      out: '',
      err: `Cannot write ${nowhere}: no such folder.\n`,
    });
    expect(await runCommand(database.url, ['backup', '-'])).toEqual({
      exitCode: 1,
      out: '',
      err: 'A backup is written to a file, not to standard output.\n',
    });
    const table = await lockTable(database, 'users', 'ACCESS EXCLUSIVE');
    const stopping = new AbortController();
    const stopped = backUp({ url: database.url, content, file: `${file}-2`, signal: stopping.signal });
    await table.waitUntilBlocking();
    expect(await readdir(path.dirname(file))).toHaveLength(2);
    stopping.abort(new Error('Stopped.'));
    await expect(stopped).rejects.toThrow();

    expect(await readFile(file)).toEqual(before);
    expect(await readdir(path.dirname(file))).toEqual([path.basename(file)]);
  });

  it('that is missing, damaged, truncated, of a newer version or not a backup is rejected and changes nothing', async () => {
    const [here, there, file] = [await newDatabase(), await newDatabase(), await newFile()];
    await here.query(`INSERT INTO programs (name, duration, updated_at) VALUES ('Physics', '4 Years', now())`);
    await runCommand(here.url, ['backup', file]);
    await there.query(`INSERT INTO programs (name, duration, updated_at) VALUES ('Music', '3 Years', now())`);
    const before = await contentOf(there);
    const compressed = await readFile(file);
    const lines = gunzipSync(compressed).toString();
    const bad: Record<string, Buffer> = {
      'it is damaged, or not a backup': compressed.subarray(0, -20),
      'its trailer is missing': gzipSync(lines.slice(0, lines.lastIndexOf('\n', lines.length - 2) + 1)),
      'the checksum does not match': gzipSync(lines.replace('Physics', 'Physicz')),
      'it is truncated': gzipSync(lines.slice(0, -10)),
      'unknown format or version': gzipSync(lines.replace('"formatVersion":1', '"formatVersion":2')),
      'there is data after its end': gzipSync(`${lines}{}\n`),
    };

    for (const [reason, content] of Object.entries(bad)) {
      await writeFile(file, content);
      expect(await runCommand(there.url, ['restore', '--force', file])).toEqual({
        exitCode: 1,
        out: '',
        err: `Invalid backup: ${reason}.\n`,
      });
    }
    await writeFile(file, 'program_name\n');
    expect(await runCommand(there.url, ['restore', '--force', file])).toMatchObject({ exitCode: 1, out: '' });
    const missing = `${file}.missing`;
    expect(await runCommand(there.url, ['restore', '--force', missing])).toEqual({
      exitCode: 1,
      out: '',
      err: `Cannot read ${missing}: no such file.\n`,
    });
    expect(await contentOf(there)).toEqual(before);
  });

  it('replaces existing data only with --force', async () => {
    const [here, there, file] = [await newDatabase(), await newDatabase(), await newFile()];
    await runCommand(here.url, ['users', 'add', 'ada', '--role', 'editor']);
    await runCommand(there.url, ['users', 'add', 'bob', '--role', 'viewer']);
    await runCommand(here.url, ['backup', file]);

    expect(await runCommand(there.url, ['restore', file])).toEqual({
      exitCode: 1,
      out: '',
      err: 'The database is not empty. --force replaces everything in it, including users and keys.\n',
    });
    expect(await runCommand(there.url, ['restore', '--force', file])).toMatchObject({ exitCode: 0 });

    expect(await contentOf(there)).toEqual(await contentOf(here));
    await expect(there.query('DELETE FROM audit_entries')).rejects.toThrow('never changed or deleted');
  });

  it('is restored without readers waiting behind it, once other sessions have released the tables', async () => {
    const [database, file] = [await newDatabase(), await newFile()];
    await runCommand(database.url, ['backup', file]);
    const reading = await lockTable(database, 'programs', 'ACCESS SHARE');
    const restored = runCommand(database.url, ['restore', '--force', file]);
    await reading.waitUntilBlocking();

    // It waits for half a second at most.
    await database.query('BEGIN; SET LOCAL statement_timeout = 3000; SELECT count(*) FROM programs; COMMIT');
    await reading.release();
    expect(await restored).toMatchObject({ exitCode: 0, err: expect.stringContaining('Waiting for it to end.') });
  });

  it('is not restored while other sessions hold the tables for too long', async () => {
    const [database, file] = [await newDatabase(), await newFile()];
    await runCommand(database.url, ['backup', file]);
    await lockTable(database, 'programs', 'ACCESS SHARE');
    const { signal } = new AbortController();
    const options = {
      url: database.url,
      content,
      file,
      force: true,
      signal,
      report: () => undefined,
      lockTimeoutMs: 0,
    };

    await expect(restore(options)).rejects.toThrow('for too long. Nothing was changed.');
  });

  it('restores records and access of a running service', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.close());
    const make = factoriesFor(server);
    const file = await newFile();
    const { id } = await make.program({ name: 'Physics' });
    await runCommand(server.database.url, ['users', 'add', 'ada', '--role', 'viewer']);
    const created = await runCommand(server.database.url, ['--json', 'keys', 'create', '--user', 'ada', '--name', 'a']);
    const { key } = JSON.parse(created.out);
    const read = async () => (await server.rest('get', `/api/academics/programs/${id}`, key)).body;
    const name = async () => Reflect.get(await read(), 'name') ?? Reflect.get(await read(), 'message');
    expect(await name()).toBe('Physics');
    await runCommand(server.database.url, ['backup', file]);
    await make.program({ name: 'Later' });
    await server.database.query(`UPDATE programs SET name = 'Music' WHERE id = $1`, [id]);
    await runCommand(server.database.url, ['users', 'disable', 'ada']);
    await within(3_000, async () => expect(await name()).toBe('User is not authenticated.'));

    expect(await runCommand(server.database.url, ['restore', '--force', file])).toMatchObject({ exitCode: 0 });

    await within(3_000, async () => expect(await name()).toBe('Physics'));
    // Ids are not reused, also those of records that the backup does not have.
    expect((await make.program({ name: 'Next' })).id).toBe(id + 2);
  });
});
