import { lockTable } from '@service/postgres/testing/table-lock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runningTime } from '../../support/running-time.ts';
import { useServer } from '../../support/server.ts';

const message = 'The service is temporarily unavailable. Please try again.';
const unavailable = { status: 503, retryAfter: '2', body: { message } };

const server = useServer();

const create = async (name: string) => {
  const { status, headers, body } = await server
    .rest('post', '/api/academics/programs')
    .send({ name, duration: '4 Years' });
  return { status, retryAfter: headers['retry-after'], body };
};

const programsNamed = (name: string) => server.database.query('SELECT 1 FROM programs WHERE name = $1', [name]);

/** Runs SQL in a trigger on each insert into a table, until the test ends. */
async function onInsertInto(table: string, sql: string): Promise<void> {
  await server.database.query(`
    CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${sql}; RETURN NEW; END $$;
    CREATE TRIGGER trouble BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION trouble()`);
  onTestFinished(async () => {
    await server.database.query('DROP FUNCTION trouble CASCADE');
  });
}

describe('a write that PostgreSQL aborts', () => {
  it.each([
    ['the disk is full', '53100'],
    ['memory is short', '53200'],
    ['it deadlocked', '40P01'],
    ['others wrote at the same time', '40001'],
    ['the server is a standby', '25006'],
    ['the server shuts down', '57P01'],
    ['it was idle for too long', '25P03'],
  ])('gets 503 and is rolled back when %s', async (_reason, sqlState) => {
    // The audit entry is written last, after the program.
    await onInsertInto('audit_entries', `RAISE EXCEPTION 'no' USING ERRCODE = '${sqlState}'`);

    expect(await create(`Trouble ${sqlState}`)).toEqual(unavailable);

    expect(await programsNamed(`Trouble ${sqlState}`)).toEqual([]);
  });

  it('gets 503 and is cancelled when it takes too long', async () => {
    await onInsertInto('programs', 'PERFORM pg_sleep(30)');

    expect(await create('Slow')).toEqual(unavailable);

    const running = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    expect(await server.database.query(running)).toEqual([]);
    expect(await programsNamed('Slow')).toEqual([]);
  });

  it('gets 503 when it waits too long for a lock, together with 29 others', async () => {
    const lock = await lockTable(server.database, 'programs');

    const responses = Promise.all(Array.from({ length: 30 }, () => create('Waiting')));
    await lock.waitUntilBlocking();
    const began = runningTime();

    expect(await responses).toEqual(Array.from({ length: 30 }, () => unavailable));
    expect(runningTime() - began).toBeLessThan(3_000);
    await lock.release();
    expect((await create('Waited')).status).toBe(201);
    expect(await programsNamed('Waiting')).toEqual([]);
  });
});

describe('a terminated connection', () => {
  it('is replaced when it was idle, without a failed request', async () => {
    await Promise.all(Array.from({ length: 20 }, () => server.rest('get', '/api/academics/programs')));

    await server.database.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
    );

    const responses = await Promise.all(
      Array.from({ length: 20 }, () => server.rest('get', '/api/academics/programs')),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });
});
