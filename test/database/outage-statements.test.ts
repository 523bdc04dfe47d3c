import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { lockTable } from '../support/table-lock.ts';

const message = 'The service is temporarily unavailable. Please try again.';
const refused = { status: 503, retryAfter: '2', body: { message } };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const create = async (name: string) => {
  const { status, headers, body } = await server
    .rest('post', '/api/academics/programs')
    .send({ name, duration: '4 Years' });
  return { status, retryAfter: headers['retry-after'], body };
};

const programsNamed = (name: string) => server.database.query('SELECT 1 FROM programs WHERE name = $1', [name]);

/** Has every new row of a table run into some SQL, until the test ends. */
async function onInsertInto(table: string, sql: string): Promise<void> {
  await server.database.query(`
    CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${sql}; RETURN NEW; END $$;
    CREATE TRIGGER trouble BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION trouble()`);
  onTestFinished(async () => {
    await server.database.query('DROP FUNCTION trouble CASCADE');
  });
}

describe('a write that PostgreSQL gives up', () => {
  it.each([
    ['the disk is full', '53100'],
    ['memory is short', '53200'],
    ['it deadlocked', '40P01'],
    ['others wrote at the same time', '40001'],
    ['the server is a standby', '25006'],
    ['the server shuts down', '57P01'],
  ])('is answered 503, with nothing half-written, when %s', async (_reason, sqlState) => {
    // The audit entry is written last: the program itself is there by then.
    await onInsertInto('audit_entries', `RAISE EXCEPTION 'no' USING ERRCODE = '${sqlState}'`);

    expect(await create(`Trouble ${sqlState}`)).toEqual(refused);

    expect(await programsNamed(`Trouble ${sqlState}`)).toEqual([]);
  });

  it('is answered 503 when it takes too long, and is cancelled', async () => {
    await onInsertInto('programs', 'PERFORM pg_sleep(30)');

    expect(await create('Slow')).toEqual(refused);

    const running = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    expect(await server.database.query(running)).toEqual([]);
    expect(await programsNamed('Slow')).toEqual([]);
  });

  it('is answered 503 when others hold what it needs, however many wait for it', async () => {
    const held = await lockTable(server.database, 'programs');

    const answers = Promise.all(Array.from({ length: 30 }, () => create('Waiting')));
    await held.waitUntilBlocking();
    const began = performance.now();

    expect(await answers).toEqual(Array.from({ length: 30 }, () => refused));
    expect(performance.now() - began).toBeLessThan(3_000);
    await held.release();
    expect((await create('Waited')).status).toBe(201);
    expect(await programsNamed('Waiting')).toEqual([]);
  });
});

describe('a connection that is killed', () => {
  it('fails the write on it with 503, and no other', async () => {
    const held = await lockTable(server.database, 'programs');
    const answer = create('Killed');
    await held.waitUntilBlocking();

    await held.terminateBlocked();

    expect(await answer).toEqual(refused);
    await held.release();
    expect((await create('Not killed')).status).toBe(201);
    expect(await programsNamed('Killed')).toEqual([]);
  });

  it('is replaced when it was idle, with no request failing', async () => {
    await Promise.all(Array.from({ length: 20 }, () => server.rest('get', '/api/academics/programs')));

    await server.database.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
    );

    const answers = await Promise.all(Array.from({ length: 20 }, () => server.rest('get', '/api/academics/programs')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });
});
