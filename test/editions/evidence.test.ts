import { createHash } from 'node:crypto';
import path from 'node:path';
import { migrate } from '@service/postgres/migrations/migrate';
import { readMigrations } from '@service/postgres/migrations/migrations';
import { migrationsFolder } from '@service/postgres/testing/migrations';
import { lockTable } from '@service/postgres/testing/table-lock';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/academics/editions/canonical.ts';
import { migrations } from '../../src/database/open-postgres.ts';
import { runCommand } from '../cli/run-command.ts';
import { databaseForTest } from '../support/database.ts';
import { makeFolder } from '../support/files.ts';
import { serverForTest, useInstances } from '../support/server.ts';

const [one, other] = useInstances(2);

const freeze = async (server: typeof one, name: string) => {
  const { body } = await server.graphql(
    `mutation ($name: String!) { createEdition(name: $name) { checksum programs } }`,
    { name },
  );
  return body.data?.createEdition ?? body.errors[0].extensions.code;
};

const fileOf = (server: Pick<typeof one, 'get'>, name: string): Promise<Response> =>
  server.get(`/export/editions/${encodeURIComponent(name)}.jsonl`);

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

it('an edition keeps its bytes when the log is pruned, when a backup is restored, and when the tables change', async () => {
  const server = await serverForTest({}, await databaseForTest());
  const { database } = server;
  const { id } = await server.make.program({ name: 'Physics' });
  await server.make.branch(id, { name: 'Optics', years: 2 });
  const { checksum } = await freeze(server, '2026/27');
  const bytes = await (await fileOf(server, '2026/27')).text();
  expect(sumOf(bytes)).toBe(checksum);
  await server.graphql(`mutation { updateProgram(id: ${id}, input: { name: "Physique" }) { id } }`);

  await database.query(`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only;
    UPDATE audit_entries SET at = '2010-05-05'; ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only`);
  const pruned = await runCommand(database.url, ['audit', 'prune', '--before', '2016-01-01', '--json']);
  expect(JSON.parse(pruned.out)).toMatchObject({ removed: true });
  expect(await database.query(`SELECT 1 FROM audit_entries WHERE subject IN ('Program', 'Edition')`)).toEqual([]);
  expect(await (await fileOf(server, '2026/27')).text()).toBe(bytes);

  const [restored, file] = [await databaseForTest(), path.join(makeFolder(), 'backup')];
  expect(await runCommand(database.url, ['backup', file])).toMatchObject({ exitCode: 0 });

  const own = Object.fromEntries(readMigrations(migrations.folder).map(({ name, sql }) => [name, sql]));
  const rewritten = `ALTER TABLE programs ADD COLUMN level text NOT NULL DEFAULT '6'; UPDATE programs SET name = upper(name);
    ALTER TABLE editions ADD COLUMN signed_by text`;
  const folder = await migrationsFolder({ ...own, '30000101000000_later': rewritten });
  expect(await migrate(database.url, { ...migrations, folder })).toEqual(['30000101000000_later']);
  expect(await (await fileOf(server, '2026/27')).text()).toBe(bytes);

  expect(await runCommand(restored.url, ['restore', '--force', file])).toMatchObject({ exitCode: 0 });
  const elsewhere = await serverForTest({}, restored);
  expect(await (await fileOf(elsewhere, '2026/27')).text()).toBe(bytes);
  const verified = await runCommand(restored.url, ['editions', 'verify', '--json']);
  expect(verified).toMatchObject({ exitCode: 0, err: '' });
  expect(JSON.parse(verified.out)).toEqual([{ name: '2026/27', checksum, intact: true }]);
  await expect(restored.query('DELETE FROM editions')).rejects.toThrow('editions are never changed');
});

it('a chunk that somebody takes away, adds or changes past the database damages that edition, which is named', async () => {
  const server = await serverForTest({}, await databaseForTest());
  const { database } = server;
  await server.make.program({ name: 'Law' });
  for (const name of ['without', 'more', 'other', 'whole']) await freeze(server, name);
  const chunkOf = (name: string) => `edition_id = (SELECT id FROM editions WHERE name = '${name}')`;
  await database.query(`ALTER TABLE edition_chunks DISABLE TRIGGER USER;
    DELETE FROM edition_chunks WHERE position = 0 AND ${chunkOf('without')};
    INSERT INTO edition_chunks SELECT id, 7, E'{}\n' FROM editions WHERE name = 'more';
    UPDATE edition_chunks SET lines = replace(lines, 'Law', 'Laws') WHERE ${chunkOf('other')};
    SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE edition_chunks ENABLE TRIGGER USER`);
  const verified = await runCommand(database.url, ['editions', 'verify', '--json']);

  expect(verified).toMatchObject({ exitCode: 1, err: expect.stringContaining('3 of 4 editions are damaged.') });
  expect(JSON.parse(verified.out)).toMatchObject([
    { name: 'whole', intact: true },
    { name: 'other', intact: false },
    { name: 'more', intact: false },
    { name: 'without', intact: false },
  ]);
  expect((await runCommand(database.url, ['check', '--editions'])).out).toContain('other, more, without');
});

it('an edition is one of a hundred', async () => {
  const server = await serverForTest({}, await databaseForTest());
  await server.database.query(`INSERT INTO edition_chunks (edition_id, position, lines)
    SELECT 1000 + n, 0, 'x' FROM generate_series(1, 99) AS n;
    INSERT INTO editions (id, name, note, at, checksum, programs, branches, created_by)
    SELECT 1000 + n, 'edition ' || n, '', now(), repeat('0', 64), 0, 0, 'ada' FROM generate_series(1, 99) AS n`);
  expect(await freeze(server, 'the last')).toMatchObject({ programs: 0 });
  expect(await freeze(server, 'one more')).toBe('CONFLICT');
});

it('the keys of a line are in the order of their code units, whatever the language', () => {
  expect(canonicalJson({ b: null, a: { é: 1, z: 'x', Z: true } })).toBe('{"a":{"Z":true,"z":"x","é":1},"b":null}');
});

it('two people who freeze under one name at two instances make one edition, which both instances read', async () => {
  await one.make.program({ name: 'Law' });
  const made = await Promise.all([one, other, one, other].map((server) => freeze(server, 'both')));
  const [edition] = made.filter((result) => typeof result === 'object');

  expect(made.filter((result) => result === 'CONFLICT')).toHaveLength(3);
  for (const server of [one, other]) expect(sumOf(await (await fileOf(server, 'both')).text())).toBe(edition.checksum);
});

it('an edition is there once it is whole, and nobody waits for it', async () => {
  const held = await lockTable(one.database, 'audit_entries');
  const freezing = freeze(one, 'slow');
  await held.waitUntilBlocking();

  expect((await fileOf(other, 'slow')).status).toBe(404);
  const { body } = await other.graphql('{ editions { name } }');
  expect(body.data.editions).toEqual([{ name: 'both' }]);
  expect((await fileOf(other, 'both')).status).toBe(200);

  await held.release();
  const { checksum } = await freezing;
  expect(sumOf(await (await fileOf(other, 'slow')).text())).toBe(checksum);
});

it('an edition that is deleted while somebody reads it ends in an error, and never as a shorter file', async () => {
  const { database } = one;
  // More than sockets hold.
  await database.query(
    `INSERT INTO edition_chunks (edition_id, position, lines)
    SELECT 1000, n, repeat(md5(n::text), 30000) FROM generate_series(0, 24) AS n;
    INSERT INTO editions (id, name, note, at, checksum, programs, branches, created_by)
    VALUES (1000, 'long', '', now(), repeat('0', 64), 0, 0, 'ada')`,
  );
  const response = await fileOf(one, 'long');
  const reader = response.body?.getReader();
  await reader?.read();
  expect((await runCommand(database.url, ['editions', 'delete', 'long'])).exitCode).toBe(0);
  const readAll = async (): Promise<void> => {
    while ((await reader?.read())?.done === false);
  };

  await expect(readAll()).rejects.toThrow();
});

it('REST has the same bytes before and after an edition is frozen', async () => {
  const list = async () => {
    const { text, headers } = await one.rest('get', '/api/academics/programs?pageSize=100');
    return [text, headers['etag'], headers['content-type']];
  };
  const before = await list();
  await freeze(one, 'beside');

  expect(await list()).toEqual(before);
});

it('an edition of large records is read and stored in parts of some megabytes', async () => {
  const { database, make } = one;
  const { id } = await make.program({ name: 'Large' });
  await make.branch(id, { name: 'First' });
  await database.query(`
    INSERT INTO branches (program_id, name, attributes)
    SELECT program_id, 'Branch ' || number, (
      SELECT jsonb_object_agg('key' || field, repeat('😀', 490) || number) FROM generate_series(1, 40) AS field
    ) FROM branches, generate_series(1, 30) AS number WHERE name = 'First'`);
  const { checksum } = await freeze(one, 'large');
  const sizes = await database.query(`
    SELECT octet_length(lines) AS bytes FROM edition_chunks JOIN editions ON editions.id = edition_id WHERE name = 'large'`);

  expect(Math.max(...sizes.map(({ bytes }) => Number(bytes)))).toBeLessThan(2_000_000);
  expect(sumOf(await (await fileOf(one, 'large')).text())).toBe(checksum);
});
