import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { startService } from '../../src/service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

const firstKey = /^The first administrator's key, shown this once: (\S+)$/;
const advice = (words: string) =>
  `No administrator's key has been used yet. This makes one: npm run cli -- keys create --user ${words}`;

let database: TestDatabase;
let told: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  told = [];
});
afterEach(() => database.close());

const start = (environment: Record<string, string> = {}, on = database): Promise<TestServer> =>
  startTestServer({ BOOTSTRAP_API_KEY: '', ...environment }, on, (sentence) => told.push(sentence));
const keys = () => database.query('SELECT name FROM api_keys');

/** Starts the service once, does something with it, and stops it; returns what it told. */
async function run(environment: Record<string, string> = {}, use?: (server: TestServer) => Promise<unknown>) {
  told = [];
  const server = await start(environment);
  await use?.(server);
  await server.close();
  return told;
}

async function takePort() {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  return { port: String((taken.address() as AddressInfo).port), free: () => taken.close() };
}

const useFirstKey = async (server: TestServer) => {
  const [, key = ''] = firstKey.exec(told[0] ?? '') ?? [];
  expect((await server.rest('get', '/api/academics/programs', key)).status).toBe(200);
};

describe('a first start', () => {
  it('whose port is taken makes nothing, not even tables', async () => {
    const empty = await createTestDatabase(null);
    const { port, free } = await takePort();

    for (const taken of [{ PORT: port }, { METRICS_PORT: port }]) {
      await expect(start(taken, empty)).rejects.toThrow(`PORT ${port} is in use`);
    }

    free();
    expect(await empty.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    expect(told).toEqual([]);
    await empty.close();
  });

  it('that is given up after the database was made makes no key, and the next one shows it', async () => {
    const stop = new AbortController();
    // The warning of a short secret comes when the database is open, and nobody listens yet.
    const log = pino({ level: 'warn' }, { write: () => stop.abort(new Error('given up')) });
    const config = parseConfig({ DATABASE_URL: database.url, PORT: '0', JWT_SECRET: 'short' });

    const started = startService({ config, log, report: (message) => told.push(message), signal: stop.signal });

    await expect(started).rejects.toThrow('given up');
    expect([told, await keys()]).toEqual([[], []]);
    expect(await run({}, useFirstKey)).toEqual([expect.stringMatching(firstKey)]);
  });
});

describe('a start', () => {
  it('says how to make a key while no administrator has used one, and nothing afterwards', async () => {
    await run();
    expect(await run()).toEqual([advice('admin')]);
    expect(await keys()).toHaveLength(1);

    await database.query('UPDATE api_keys SET last_used_at = now()');
    expect(await run()).toEqual([]);
  });

  it('takes the use of the first key for what it is', async () => {
    await run({}, useFirstKey);

    expect(await run()).toEqual([]);
  });

  it.each(["role = 'viewer'", 'disabled = true'])(
    'makes no key for an admin whose %s, however often',
    async (state) => {
      await database.query(
        `INSERT INTO users (name, role) VALUES ('admin', 'admin'), ('ro ot', 'admin'), ('grace', 'admin')`,
      );
      await database.query(`UPDATE users SET ${state} WHERE name = 'admin'`);

      expect([await run(), await run()]).toEqual([[advice('grace')], [advice('grace')]]);
      expect(await keys()).toEqual([]);
    },
  );

  it('says how to make an administrator where there is none', async () => {
    await database.query(`INSERT INTO users (name, role) VALUES ('admin', 'viewer')`);

    expect(await run()).toEqual([advice('NAME --role admin')]);
  });

  it('makes the first key for an admin who is there and has none', async () => {
    await database.query(`INSERT INTO users (name, role) VALUES ('admin', 'admin')`);

    expect(await run({}, useFirstKey)).toEqual([expect.stringMatching(firstKey)]);
  });
});

describe('a key that is given', () => {
  const given = { BOOTSTRAP_API_KEY: adminKey };

  it('is good from the first request on, and nothing is said of it', async () => {
    const told = await run(given, async (server) => expect((await server.rest('get', '/ping')).status).toBe(200));

    expect(told).toEqual([]);
    expect(await keys()).toHaveLength(1);
  });

  it('stays revoked once it was, and the start says how to make another', async () => {
    await run(given);
    await database.query('UPDATE api_keys SET revoked_at = now()');

    const told = await run(given, async (server) => expect((await server.rest('get', '/ping')).status).toBe(401));

    expect(told).toEqual([advice('admin')]);
    expect(await keys()).toHaveLength(1);
  });
});
