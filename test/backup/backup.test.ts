import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupContent as content } from '../../src/database/backup-content.ts';
import { runCommand } from '../cli/run-command.ts';
import { databaseForTest, type TestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/files.ts';
import { within } from '../support/running-time.ts';
import { serverForTest } from '../support/server.ts';

const newFile = (): string => path.join(makeFolder(), 'academic-structure.backup');

/** All rows of all tables in PostgreSQL's text format. */
async function contentOf(database: TestDatabase): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of content.tables)
    rows[table] = await database.query(`SELECT t::text FROM ${table} AS t ORDER BY 1`);
  return rows;
}

describe('a backup', () => {
  it('has all tables but those that migrations fill again', async () => {
    const relations = await (await databaseForTest()).query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'm')
        AND relname <> '_prisma_migrations' AND NOT EXISTS (
          SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')`,
    );

    const known: readonly string[] = [...content.tables, ...content.derived];
    expect(relations.filter(({ name }) => !known.includes(String(name)))).toEqual([]);
  });

  it('names all functions that migrations create, which an older one replaces', async () => {
    const functions = await (await databaseForTest()).query(
      `SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')`,
    );

    expect(content.functions.toSorted()).toEqual(functions.map(({ name }) => name).sort());
  });

  it('is written to a new file alone, and logged with who made it and how much it is', async () => {
    const [database, file] = [await databaseForTest(), newFile()];
    const logged: object[] = [];
    const run = (...words: string[]) =>
      runCommand(database.url, ['backup', ...words], { onLog: (line) => logged.push(line) });
    await run(file);
    const { size } = await stat(file);
    const failure = (err: string) => ({ exitCode: 1, out: '', err });
    expect(await run(file)).toEqual(failure(`${file} already exists.\n`));
    const who = { level: 30, msg: 'backup', actor: 'cli', systemUser: expect.any(String) };
    expect(logged).toEqual([
      expect.objectContaining({ ...who, outcome: 'done', bytes: size, records: 0 }),
      expect.objectContaining({ ...who, outcome: 'failed' }),
    ]);
    const nowhere = path.join(path.dirname(file), 'none', 'file');
    expect(await run(nowhere)).toEqual(failure(`Cannot write ${nowhere}: no such folder.\n`));
    expect(await run('-')).toEqual(failure('A backup is written to a file, not to standard output.\n'));
  });

  it('restores identical rows of all tables, over others only with --force', async () => {
    const server = await serverForTest();
    const { database: here } = server;
    const [there, file] = [await databaseForTest(), newFile()];
    const { id } = await server.make.program({ name: 'Физика, "4"\\\n', code: 'PHY' });
    await server.make.branch(id);
    await server
      .rest('post', '/api/academics/programs')
      .set('Idempotency-Key', 'one')
      .send({ name: 'M', duration: '1' });
    await server.graphql(`mutation { addNote(input: { programId: ${id}, text: "Check" }) { id } }`);
    await server.graphql('mutation { saveView(input: { list: PROGRAMS, name: "All", search: "" }) { id } }');
    await server.graphql('mutation { createEdition(name: "2026/27") { id } }');
    await server.graphql(
      'mutation { saveAttributeDefinition(input: { key: "level", kind: CHOICE, choices: [{ value: "A" }] }) { id } }',
    );
    await runCommand(here.url, ['keys', 'create', '--user', 'ada', '--role', 'editor', '--name', 'laptop']);
    await runCommand(there.url, ['users', 'add', 'bob', '--role', 'viewer']);
    // The service notes the use of its key some seconds later.
    const used = () => here.query('SELECT 1 FROM api_keys WHERE last_used_at IS NOT NULL');
    await expect.poll(used, { timeout: 20_000 }).toHaveLength(1);
    expect(await runCommand(here.url, ['backup', file])).toMatchObject({ exitCode: 0, err: '' });

    expect(await runCommand(there.url, ['restore', file])).toEqual({
      exitCode: 1,
      out: '',
      err: 'The database is not empty. --force replaces everything in it, including users and keys.\n',
    });
    expect(await runCommand(there.url, ['restore', '--force', file])).toMatchObject({ exitCode: 0, err: '' });
    const restored = await contentOf(there);
    expect(restored).toEqual(await contentOf(here));
    expect(Object.entries(restored).filter(([, rows]) => rows.length === 0)).toEqual([]);
    await expect(there.query('DELETE FROM audit_entries')).rejects.toThrow('never changed or deleted');
  });

  it('is not restored when it is missing or none, with the reason in one line', async () => {
    const [database, file] = [await databaseForTest(), newFile()];
    const missing = await runCommand(database.url, ['restore', file]);
    expect(missing).toEqual({ exitCode: 1, out: '', err: `Cannot read ${file}: no such file.\n` });
    await writeFile(file, 'program_name\n');
    const none = await runCommand(database.url, ['restore', file]);
    expect(none).toEqual({ exitCode: 1, out: '', err: 'Invalid backup: it is damaged, or not a backup.\n' });
  });

  it('restores records and access of a running service', async () => {
    const server = await serverForTest();
    const file = newFile();
    const { id } = await server.make.program({ name: 'Physics' });
    await runCommand(server.database.url, ['users', 'add', 'ada', '--role', 'viewer']);
    const created = await runCommand(server.database.url, ['--json', 'keys', 'create', '--user', 'ada', '--name', 'a']);
    const { key } = JSON.parse(created.out);
    const read = async () => (await server.rest('get', `/api/academics/programs/${id}`, key)).body;
    const name = async () => Reflect.get(await read(), 'name') ?? Reflect.get(await read(), 'message');
    expect(await name()).toBe('Physics');
    await runCommand(server.database.url, ['backup', file]);
    await server.make.program({ name: 'Later' });
    await server.database.query(`UPDATE programs SET name = 'Music' WHERE id = $1`, [id]);
    await runCommand(server.database.url, ['users', 'disable', 'ada']);
    await within(3_000, async () => expect(await name()).toBe('User is not authenticated.'));

    expect(await runCommand(server.database.url, ['restore', '--force', file])).toMatchObject({ exitCode: 0 });

    await within(3_000, async () => expect(await name()).toBe('Physics'));
    // Ids are not reused, also those of records that the backup does not have.
    expect((await server.make.program({ name: 'Next' })).id).toBe(id + 2);
  });
});
