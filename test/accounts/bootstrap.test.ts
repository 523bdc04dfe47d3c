import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { startService } from '../../src/service.ts';
import { runCommand } from '../cli/run-command.ts';
import { createTestDatabase, useEmptiedDatabase } from '../support/database.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

const firstKey = /^The first administrator's key, shown this once: (\S+)$/;
const advice = (words: string) =>
  `No administrator's key has been used yet. This makes one: npm run cli -- keys create --user ${words}`;

const database = useEmptiedDatabase();
let messages: string[];
beforeEach(() => {
  messages = [];
});

const start = (environment: Record<string, string> = {}, on = database): Promise<TestServer> =>
  startTestServer({ BOOTSTRAP_API_KEY: '', ...environment }, on, (sentence) => messages.push(sentence));
const keys = () => database.query('SELECT name FROM api_keys');

/** Starts the service, optionally uses it, and stops it; returns the messages to the operator. */
async function run(environment: Record<string, string> = {}, use?: (server: TestServer) => Promise<unknown>) {
  messages = [];
  const server = await start(environment);
  await use?.(server);
  await server.close();
  return messages;
}

async function takePort() {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  return { port: String((taken.address() as AddressInfo).port), free: () => taken.close() };
}

const useFirstKey = async (server: TestServer) => {
  const [, key = ''] = firstKey.exec(messages[0] ?? '') ?? [];
  expect((await server.rest('get', '/api/academics/programs', key)).status).toBe(200);
};

describe('a first start', () => {
  it('leaves the database untouched when its port is in use', async () => {
    const empty = await createTestDatabase(null);
    const { port, free } = await takePort();

    for (const variable of ['PORT', 'METRICS_PORT']) {
      await expect(start({ [variable]: port }, empty)).rejects.toThrow(new RegExp(`^${variable} ${port} is in use`));
    }

    free();
    expect(await empty.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    expect(messages).toEqual([]);
    await empty.close();
  });

  it('that is aborted creates no key; the next start shows it', async () => {
    const stop = new AbortController();
    // What is wrong with the sign-in is logged when the database is open and the server is not listening yet.
    const log = pino({ level: 'warn' }, { write: () => stop.abort(new Error('aborted')) });
    const config = parseConfig({ DATABASE_URL: database.url, PORT: '0', OIDC_ISSUER: 'none' });

    const started = startService({ config, log, report: (message) => messages.push(message), signal: stop.signal });

    await expect(started).rejects.toThrow('aborted');
    expect([messages, await keys()]).toEqual([[], []]);
    expect(await run({}, useFirstKey)).toEqual([expect.stringMatching(firstKey)]);
  });
});

describe('a start', () => {
  it('prints how to create a key until an administrator has used one', async () => {
    await run();
    expect(await run()).toEqual([advice('admin')]);
    expect(await keys()).toHaveLength(1);

    await database.query('UPDATE api_keys SET last_used_at = now()');
    expect(await run()).toEqual([]);
  });

  it.each(["role = 'viewer'", 'disabled = true'])(
    'creates no key for an admin whose %s, even on a second start',
    async (state) => {
      await database.query(
        `INSERT INTO users (name, role) VALUES ('admin', 'admin'), ('ro ot', 'admin'), ('grace', 'admin')`,
      );
      await database.query(`UPDATE users SET ${state} WHERE name = 'admin'`);

      expect([await run(), await run()]).toEqual([[advice('grace')], [advice('grace')]]);
      expect(await keys()).toEqual([]);
    },
  );

  it('prints how to create an administrator when there is none', async () => {
    await database.query(`INSERT INTO users (name, role) VALUES ('admin', 'viewer')`);

    expect(await run()).toEqual([advice('NAME --role admin')]);
  });

  it('creates no other first key when the administrator who had it is deleted', async () => {
    await run({}, useFirstKey);
    await database.query(`INSERT INTO users (name, role) VALUES ('root', 'admin')`);
    await database.query('UPDATE api_keys SET revoked_at = now()');
    expect((await runCommand(database.url, ['users', 'delete', 'admin'])).exitCode).toBe(0);

    expect(await run()).toEqual([advice('root')]);
    expect(await keys()).toEqual([]);
  });

  it('creates the first key for an existing admin without one', async () => {
    await database.query(`INSERT INTO users (name, role) VALUES ('admin', 'admin')`);

    expect(await run({}, useFirstKey)).toEqual([expect.stringMatching(firstKey)]);
  });
});

describe('a configured key', () => {
  const configured = { BOOTSTRAP_API_KEY: adminKey };

  it('works from the first request, and nothing is printed', async () => {
    const messages = await run(configured, async (server) =>
      expect((await server.rest('get', '/ping')).status).toBe(200),
    );

    expect(messages).toEqual([]);
    expect(await keys()).toHaveLength(1);
  });

  it('stays revoked across a restart, which prints how to create another', async () => {
    await run(configured);
    await database.query('UPDATE api_keys SET revoked_at = now()');

    const messages = await run(configured, async (server) =>
      expect((await server.rest('get', '/ping')).status).toBe(401),
    );

    expect(messages).toEqual([advice('admin')]);
    expect(await keys()).toHaveLength(1);
  });

  it('stays revoked when its user is deleted, while another key can be configured', async () => {
    await run(configured);
    await database.query(`INSERT INTO users (name, role) VALUES ('root', 'admin')`);
    await database.query('UPDATE api_keys SET revoked_at = now()');
    expect((await runCommand(database.url, ['users', 'delete', 'admin'])).exitCode).toBe(0);

    const expectPing = (key: string, status: number) => async (server: TestServer) =>
      expect((await server.rest('get', '/ping', key)).status).toBe(status);
    const other = 'another-administrator-key-0123456789';
    expect(await run(configured, expectPing(adminKey, 401))).toEqual([advice('root')]);
    await run({ BOOTSTRAP_API_KEY: other }, expectPing(other, 200));
  });
});
