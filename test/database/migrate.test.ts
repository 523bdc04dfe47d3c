import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '@service/postgres/migrations/migrate';
import { readMigrations } from '@service/postgres/migrations/migrations';
import { appliedTo, migrationsFolder, openReader } from '@service/postgres/testing/migrations';
import { waitingForLocks } from '@service/postgres/testing/table-lock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../src/database/open-postgres.ts';
import { databaseForTest } from '../support/database.ts';
import { runningTime } from '../support/running-time.ts';
import { adminKey, serverForTest, startTestServer } from '../support/server.ts';

/** A folder of the migrations of this version, and others by name. */
function folderOf(others: Readonly<Record<string, string>>): Promise<URL> {
  const own = Object.fromEntries(readMigrations(migrations.folder).map(({ name, sql }) => [name, sql]));
  return migrationsFolder({ ...own, ...others });
}

describe('migrating', () => {
  it('runs once for instances that start concurrently on an empty database', async () => {
    const database = await databaseForTest(null);

    const done = await Promise.all(Array.from({ length: 3 }, () => migrate(database.url, migrations)));

    const names = readMigrations(migrations.folder).map(({ name }) => name);
    expect(done.flat().sort()).toEqual(names);
    expect(await appliedTo(database)).toEqual(names);
  });

  it.each(['LATIN1', 'SQL_ASCII'])(
    'changes nothing in a database with the encoding %s, and says what helps',
    async (encoding) => {
      const database = await databaseForTest('template0', `ENCODING '${encoding}' LOCALE 'C'`);

      const reason = `Unsupported database: the encoding of the database is ${encoding}, which cannot store every text: create it with ENCODING 'UTF8' TEMPLATE template0.`;
      await expect(migrate(database.url, migrations)).rejects.toThrow(reason);
      await expect(startTestServer({ MIGRATE_ON_START: 'false' }, database)).rejects.toThrow(reason);

      expect(await database.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    },
  );

  it('says where pg_trgm is when it is in a schema that is not searched, and works once it is', async () => {
    const database = await databaseForTest(null);
    await database.query('CREATE SCHEMA extensions');
    await database.query('CREATE EXTENSION pg_trgm SCHEMA extensions');
    const reason =
      'Unsupported database: the extension pg_trgm is in the schema extensions, which is not in the search_path: ALTER ROLE … SET search_path = public, extensions.';
    await expect(migrate(database.url, migrations)).rejects.toThrow(reason);
    await expect(startTestServer({ MIGRATE_ON_START: 'false' }, database)).rejects.toThrow(reason);

    await database.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = public, extensions', current_database()); END $$`);

    const server = await startTestServer({}, database);
    onTestFinished(() => server.close());
    await server.make.program({ name: 'Hotel Management' });
    const { body } = await server.graphql('{ programs(filter: { search: "mangement" }) { items { name } } }');
    expect(body).toEqual({ data: { programs: { items: [{ name: 'Hotel Management' }] } } });
  });

  it('makes nothing in another schema than public, and says what helps', async () => {
    const database = await databaseForTest(null);
    await database.query('CREATE SCHEMA catalog');
    await database.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = catalog, public', current_database()); END $$`);

    await expect(migrate(database.url, migrations)).rejects.toThrow(
      'Unsupported database: the search_path begins with catalog, and the tables belong into public: ALTER ROLE … SET search_path = public.',
    );
    expect(await database.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'catalog'`)).toEqual([]);
  });

  it('does not block requests while it waits for a reader', async () => {
    const server = await serverForTest({ RESPONSE_CACHE_MAX_BYTES: '0' });
    const { database } = server;
    await database.query(`INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years')`);
    const reader = await openReader(database, 'SELECT count(*) FROM programs');
    const folder = await folderOf({ '30000101000000_column': 'ALTER TABLE programs ADD COLUMN extra text' });
    let loaded = true;
    let isWaiting = false;
    const load = async (ask: () => Promise<Response>) => {
      const seen = { whileWaiting: 0, longestMs: 0, failures: [] as string[] };
      while (loaded) {
        const begunWhileWaiting = isWaiting;
        const begun = runningTime();
        const response = await ask();
        const body = await response.text();
        seen.longestMs = Math.max(seen.longestMs, runningTime() - begun);
        if (!response.ok) seen.failures.push(`${response.status} ${body}`);
        else if (begunWhileWaiting && isWaiting) seen.whileWaiting += 1;
      }
      return seen;
    };
    const programs = `${server.url}/v1/api/academics/programs`;
    const headers = { 'x-api-key': adminKey, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Chemistry', duration: '3 Years' });
    const clients = [
      load(() => fetch(programs, { headers })),
      load(() => fetch(`${programs}/1`, { headers })),
      load(() => fetch(programs, { method: 'POST', headers, body })),
    ];
    let attempts = 0;
    // Three attempts, whether reported or not: the blocker is the same each time.
    const watching = (async () => {
      let attempting = false;
      while (attempts < 3) {
        const now = (await database.query(`SELECT 1 ${waitingForLocks} AND mode = 'AccessExclusiveLock'`)).length > 0;
        if (now && !attempting) attempts += 1;
        attempting = now;
        isWaiting ||= now;
        await delay(5);
      }
    })();
    const migrating = migrate(database.url, { ...migrations, folder });
    await watching;
    isWaiting = false;
    await reader.query('COMMIT');

    expect(await migrating).toEqual(['30000101000000_column']);
    loaded = false;
    for (const { whileWaiting, longestMs, failures } of await Promise.all(clients)) {
      expect(whileWaiting).toBeGreaterThan(0);
      expect(failures).toEqual([]);
      expect(longestMs).toBeLessThan(2_000);
    }
  });
});

describe('a database that a newer version has migrated', () => {
  it('serves this one beside it', async () => {
    const database = await databaseForTest();
    const folder = await folderOf({ '30000101000000_newer': 'CREATE TABLE newer ()' });
    await migrate(database.url, { ...migrations, folder });

    expect(await migrate(database.url, migrations)).toEqual([]);
    const server = await startTestServer({ MIGRATE_ON_START: 'false' }, database);
    await server.close();
  });
});

describe('a start', () => {
  it.each(['true', 'false'])(
    'on a database of another version says so, and serves nothing: MIGRATE_ON_START=%s',
    async (value) => {
      const database = await databaseForTest();
      await database.query(`UPDATE _prisma_migrations SET checksum = 'other'`);
      await expect(startTestServer({ MIGRATE_ON_START: value }, database)).rejects.toThrow(
        /^The database is of another version: its migration \d+_init is not the one of this version\. Export the catalog /,
      );
    },
  );

  it('without migrating fails with one line when migrations are missing', async () => {
    const database = await databaseForTest(null);

    await expect(startTestServer({ MIGRATE_ON_START: 'false' }, database)).rejects.toThrow(
      `The database lacks the migrations ${readMigrations(migrations.folder)
        .map(({ name }) => name)
        .join(', ')}, and MIGRATE_ON_START is false: run npm run cli -- migrate.`,
    );
    expect(await database.query(`SELECT to_regclass('_prisma_migrations') AS found`)).toEqual([{ found: null }]);

    await migrate(database.url, migrations);
    const server = await startTestServer({ MIGRATE_ON_START: 'false' }, database);
    await server.close();
  });
});
