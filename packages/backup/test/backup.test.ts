import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { migrate } from '@service/postgres/migrations/migrate';
import { createDatabase, type TestDatabase } from '@service/postgres/testing/database';
import { migrationsFolder } from '@service/postgres/testing/migrations';
import { lockTable } from '@service/postgres/testing/table-lock';
import fc from 'fast-check';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { backUp } from '../src/backup.ts';
import { type RestoreContent, restore } from '../src/restore.ts';

const init = `
  CREATE TABLE lists (id serial PRIMARY KEY, name text, at timestamptz, more jsonb);
  CREATE TABLE items (id serial PRIMARY KEY, list_id int REFERENCES lists, name text);
  CREATE TABLE entries (id serial PRIMARY KEY, text text);
  CREATE TABLE counts (items int);
  CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'never deleted'; END $$;
  CREATE TRIGGER entries_append_only BEFORE DELETE OR TRUNCATE ON entries EXECUTE FUNCTION keep()`;

async function contentOf(migrations: Readonly<Record<string, string>> = {}): Promise<RestoreContent> {
  return {
    format: 'lists-backup',
    tables: ['items', 'lists', 'entries'],
    derived: ['counts'],
    functions: ['keep()'],
    guards: [{ table: 'entries', trigger: 'entries_append_only' }],
    migrationsFolder: await migrationsFolder({ '1_init': init, ...migrations }),
  };
}

async function newDatabase({ migrationsFolder: folder }: RestoreContent): Promise<TestDatabase> {
  const database = await createDatabase();
  onTestFinished(() => database.close());
  await migrate(database.url, { folder, lockKey: 7 });
  return database;
}

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'backup-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, 'lists.backup');
}

/** A database, and a file that does not exist yet. */
async function setUp() {
  const content = await contentOf();
  return { content, here: await newDatabase(content), file: await newFile() };
}

const { signal } = new AbortController();
const forced = { force: true, signal, report: () => undefined };

/** All rows in PostgreSQL's text format. */
async function rowsOf(database: TestDatabase): Promise<unknown[]> {
  const selects = ['lists', 'items', 'entries'].map((table) => `SELECT '${table}', t::text FROM ${table} AS t`);
  return database.query(`${selects.join(' UNION ALL ')} ORDER BY 1, 2`);
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((value) => value.replaceAll(/[\0\uD800-\uDFFF]/g, '�')),
  fc.constantFrom('', ' ', 'NULL', '\\N', '"', "'", '(a,b)', '{"a"}', '\\', '\r\n', '\n', '\u2028', '"\\",,'),
);
const lists = fc.array(
  fc.record({
    name: fc.option(text),
    at: fc.date({ min: new Date('0100-01-01'), max: new Date('9000-01-01'), noInvalidDate: true }),
    more: fc.json().map((json) => json.replaceAll('\\u0000', '')),
    items: fc.array(text, { maxLength: 3 }),
  }),
  { maxLength: 10 },
);

describe('a backup', () => {
  it('restores identical rows into another database, whatever is in them', async () => {
    const { content, here, file } = await setUp();
    const there = await newDatabase(content);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(lists, async (some) => {
        await here.query('TRUNCATE lists, items');
        for (const { name, at, more, items } of some) {
          const sql = 'INSERT INTO lists (name, at, more) VALUES ($1, $2, $3) RETURNING id';
          const [list] = await here.query(sql, [name, at, more]);
          await here.query('INSERT INTO items (list_id, name) SELECT $1, unnest($2::text[])', [list?.['id'], items]);
        }
        run += 1;
        await backUp({ url: here.url, content, file: `${file}-${run}`, signal });
        await restore({ ...forced, url: there.url, content, file: `${file}-${run}` });
        expect(await rowsOf(there)).toEqual(await rowsOf(here));
      }),
      { numRuns: inject('thorough') ? 10 : 3 },
    );
  });

  it('is one snapshot of many rows during concurrent writes, and no id is used again', async () => {
    const { content, here, file } = await setUp();
    const there = await newDatabase(content);
    await here.query(`INSERT INTO lists (name) SELECT repeat('x', 300) FROM generate_series(1, 7001)`);
    let done = false;
    const writing = (async () => {
      while (!done)
        await here.query(`WITH made AS (INSERT INTO lists (name) VALUES ('New') RETURNING id)
          INSERT INTO items (list_id, name) SELECT id, 'Its only item' FROM made`);
    })();
    const { rows } = await backUp({ url: here.url, content, file, signal });
    done = true;
    await writing;

    const { lists: count = 0, items } = rows;
    expect(items).toBe(count - 7001);
    expect(await restore({ ...forced, url: there.url, content, file })).toMatchObject({ rows });
    const [next] = await there.query(`INSERT INTO lists (name) VALUES ('Next') RETURNING id > $1 AS fresh`, [count]);
    expect(next).toEqual({ fresh: true });
  });

  it('is readable by its owner only, overwrites no file, and leaves no partial file when it is stopped', async () => {
    const { content, here, file } = await setUp();
    const { bytes } = await backUp({ url: here.url, content, file, signal });
    const { size, mode } = await stat(file);
    expect([size, mode & 0o777]).toEqual([bytes, 0o600]);
    await expect(backUp({ url: here.url, content, file, signal })).rejects.toThrow(`${file} already exists.`);

    const table = await lockTable(here, 'entries', 'ACCESS EXCLUSIVE');
    const stopping = new AbortController();
    const stopped = backUp({ url: here.url, content, file: `${file}-2`, signal: stopping.signal });
    await table.waitUntilBlocking();
    expect(await readdir(path.dirname(file))).toHaveLength(2);
    stopping.abort(new Error('Stopped.'));
    await expect(stopped).rejects.toThrow();
    expect(await readdir(path.dirname(file))).toEqual([path.basename(file)]);
  });
});

describe('a restore', () => {
  it('changes nothing when the backup is damaged, truncated, of another version, or none', async () => {
    const { content, here, file } = await setUp();
    const there = await newDatabase(content);
    await here.query(`INSERT INTO lists (name) VALUES ('Physics')`);
    await there.query(`INSERT INTO lists (name) VALUES ('Music')`);
    await backUp({ url: here.url, content, file, signal });
    const before = await rowsOf(there);
    const compressed = await readFile(file);
    const lines = gunzipSync(compressed).toString();
    const body = lines.slice(0, lines.lastIndexOf('\n', lines.length - 2) + 1);
    const later = body.replace('"migrations":[', '"migrations":["2_later",');
    const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
    const bad: Record<string, Buffer> = {
      'it is damaged, or not a backup': compressed.subarray(0, -20),
      'its trailer is missing': gzipSync(body),
      'the checksum does not match': gzipSync(lines.replace('Physics', 'Physicz')),
      'it is truncated': gzipSync(lines.slice(0, -10)),
      'unknown format or version': gzipSync(lines.replace('"formatVersion":1', '"formatVersion":2')),
      'there is data after its end': gzipSync(`${lines}{}\n`),
      'This backup is from a newer version': gzipSync(
        later + lines.slice(body.length).replace(sha256(body), sha256(later)),
      ),
    };
    for (const [reason, bytes] of Object.entries(bad)) {
      await writeFile(file, bytes);
      await expect(restore({ ...forced, url: there.url, content, file })).rejects.toThrow(reason);
    }
    expect(await rowsOf(there)).toEqual(before);
  });

  it('changes nothing when its migrations have other contents than here, and says what to do', async () => {
    const { content, here, file } = await setUp();
    await here.query(`INSERT INTO lists (name) VALUES ('Physics')`);
    await backUp({ url: here.url, content, file, signal });
    const other = await contentOf({ '1_init': `${init}; ALTER TABLE lists ADD COLUMN level text` });
    const there = await newDatabase(other);
    await there.query(`INSERT INTO lists (name) VALUES ('Music')`);
    const before = await rowsOf(there);
    const options = { ...forced, url: there.url, content: { ...other, otherVersionAdvice: 'Ask for it.' } };
    const restoring = restore({ ...options, file });
    await expect(restoring).rejects.toThrow(
      'This backup is of another version: its migration 1_init is not the one of this version. Ask for it.',
    );
    const older = `${file}-older`;
    const lines = gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n');
    const [header = '', ...rows] = lines.slice(0, -1);
    const body = `${[header.replace(/,"checksums":\{.*?\}/, ''), ...rows].join('\n')}\n`;
    const end = { ...JSON.parse(lines.at(-1) ?? ''), sha256: createHash('sha256').update(body).digest('hex') };
    await writeFile(older, gzipSync(`${body}${JSON.stringify(end)}\n`));
    await expect(restore({ ...options, file: older })).rejects.toThrow(
      'This backup is of another version: the columns of table lists differ. Ask for it.',
    );
    expect(await rowsOf(there)).toEqual(before);
  });

  it('replaces existing rows only by force, those that a trigger guards too', async () => {
    const { content, here, file } = await setUp();
    const there = await newDatabase(content);
    await here.query(`INSERT INTO entries (text) VALUES ('here')`);
    await there.query(`INSERT INTO entries (text) VALUES ('there')`);
    await backUp({ url: here.url, content, file, signal });
    const options = { ...forced, url: there.url, content, file };
    await expect(restore({ ...options, force: false })).rejects.toThrow('not empty');
    await restore(options);
    expect(await rowsOf(there)).toEqual(await rowsOf(here));
    await expect(there.query('DELETE FROM entries')).rejects.toThrow('never deleted');
  });

  it('of an older version migrates its rows', async () => {
    const { content, here, file } = await setUp();
    await here.query(`WITH made AS (INSERT INTO lists (name) VALUES ('Физика') RETURNING id)
      INSERT INTO items (list_id, name) SELECT id, 'Optics' FROM made`);
    await backUp({ url: here.url, content, file, signal });
    const newer = await contentOf({
      '2_level': 'ALTER TABLE lists ADD COLUMN level text; UPDATE lists SET level = lower(name)',
    });
    const there = await newDatabase(newer);
    await there.query(`INSERT INTO lists (name, level) VALUES ('Old', 'none')`);

    const { migrated } = await restore({ ...forced, url: there.url, content: newer, file });
    expect(migrated).toEqual(['2_level']);
    expect(
      await there.query('SELECT lists.name, level, items.name AS item FROM lists JOIN items ON list_id = lists.id'),
    ).toEqual([{ name: 'Физика', level: 'физика', item: 'Optics' }]);
    await expect(there.query('DELETE FROM entries')).rejects.toThrow('never deleted');
  });

  it('lets no reader wait behind it, and begins once other sessions have released the tables', async () => {
    const { content, here, file } = await setUp();
    await backUp({ url: here.url, content, file, signal });
    const reading = await lockTable(here, 'lists', 'ACCESS SHARE');
    const reported: string[] = [];
    const options = { ...forced, url: here.url, content, file, report: (message: string) => reported.push(message) };
    const restored = restore(options);
    await reading.waitUntilBlocking();
    // It waits for half a second at most.
    await here.query('BEGIN; SET LOCAL statement_timeout = 3000; SELECT count(*) FROM lists; COMMIT');
    await expect(restore({ ...options, lockTimeoutMs: 0 })).rejects.toThrow('for too long. Nothing was changed.');
    await reading.release();
    await restored;
    expect(reported[0]).toContain('Waiting for it to end.');
  });
});
