import { lockTable } from '@service/postgres/testing/table-lock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorBody, statusAndBody } from '../rest/expectations.ts';
import { emptyCatalog } from '../support/database.ts';
import { within } from '../support/running-time.ts';
import { startTestServer, useInstances } from '../support/server.ts';

const path = '/api/academics/programs';
const valid = { name: 'Physics', duration: '4 Years' };
const stillRunning = errorBody(409, 'The first request with this Idempotency-Key is still running.');

const servers = useInstances(2);
const { database } = servers[0];
afterEach(() => database.query(`${emptyCatalog}; DELETE FROM idempotency_records`));

/** Sends the request now: supertest sends only when awaited. */
const create = async (body: object = valid, key = 'a-key', server = servers[0]) =>
  server.rest('post', path).set('Idempotency-Key', key).send(body);
const rowsOf = async (table: string): Promise<unknown> => (await database.query(`SELECT id FROM ${table}`)).length;

describe('a retry that arrives while the first request is in flight', () => {
  it.each([
    ['with the same body', valid, 0],
    ['with another body', { ...valid, name: 'Chemistry' }, 0],
    ['at another instance', valid, 1],
  ] as const)('gets a 409 at once, and a replay afterwards: %s', async (_what, body, at) => {
    const held = await lockTable(database, 'programs');
    const first = create();
    await held.waitUntilBlocking();

    const early = await create(body, 'a-key', servers[at]);
    const unrelated = create(valid, 'another-key');
    await held.release();

    expect(statusAndBody(early)).toEqual(stillRunning);
    expect(early.headers['retry-after']).toBe('1');
    expect((await first).status).toBe(201);
    expect((await unrelated).status).toBe(201);
    const late = await create(valid, 'a-key', servers[at]);
    expect(late.text).toBe((await first).text);
    expect(late.headers).toMatchObject({ 'idempotency-replayed': 'true' });
  });
});

describe('a repeat that has looked for the outcome right before the first request commits', () => {
  it('creates nothing and gets a replay', async () => {
    const first = await create();
    await database.query('CREATE TABLE kept AS WITH gone AS (DELETE FROM idempotency_records RETURNING *) TABLE gone');
    const held = await lockTable(database, 'programs');
    const repeated = create();
    await held.waitUntilBlocking();

    await database.query('INSERT INTO idempotency_records TABLE kept; DROP TABLE kept');
    await held.release();

    expect([(await repeated).text, isReplay(await repeated)]).toEqual([first.text, true]);
    expect(await rowsOf('programs')).toBe(1);
  });
});

function isReplay({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): boolean {
  return headers['idempotency-replayed'] === 'true';
}

describe('a failed create', () => {
  it('leaves neither program nor record when its database connection is lost, and succeeds on retry', async () => {
    const held = await lockTable(database, 'programs');
    const first = create();
    await held.waitUntilBlocking();

    await held.terminateBlocked();
    const failed = await first;
    await held.release();

    expect(statusAndBody(failed)).toEqual(errorBody(503, 'The service is temporarily unavailable. Please try again.'));
    expect(failed.headers).toMatchObject({ 'retry-after': '2' });
    expect([await rowsOf('programs'), await rowsOf('idempotency_records')]).toEqual([0, 0]);
    const again = await create();
    expect([again.status, isReplay(again)]).toEqual([201, false]);
    expect(await rowsOf('programs')).toBe(1);
  });

  it.each(['audit_entries', 'idempotency_records'])(
    'leaves nothing when %s cannot be written, and succeeds on retry',
    async (table) => {
      await database.query(`ALTER TABLE ${table} ADD CONSTRAINT rejecting CHECK (false) NOT VALID`);
      const failed = await create();
      await database.query(`ALTER TABLE ${table} DROP CONSTRAINT rejecting`);

      expect(statusAndBody(failed)).toEqual(errorBody(500, 'Internal server error.'));
      expect([await rowsOf('programs'), await rowsOf('idempotency_records')]).toEqual([0, 0]);
      const again = await create();
      expect([again.status, isReplay(again)]).toEqual([201, false]);
    },
  );
});

describe('an idempotency record', () => {
  beforeEach(async () => {
    await create();
  });
  const age = (interval: string) =>
    database.query(`UPDATE idempotency_records SET created_at = now() - interval '${interval}'`);

  it('is replayed until 24 hours have passed', async () => {
    await age('23 hours 59 minutes');

    expect(isReplay(await create())).toBe(true);
  });

  it('expires after 24 hours: the same key then creates another program, with any body', async () => {
    await age('24 hours');

    const repeated = await create({ ...valid, name: 'Chemistry' });

    expect([repeated.status, isReplay(repeated)]).toEqual([201, false]);
    expect((await create({ ...valid, name: 'Chemistry' })).text).toBe(repeated.text);
    expect(await rowsOf('programs')).toBe(2);
  });
});

describe('expired records', () => {
  it('are deleted in batches by a running service, and the others stay', async () => {
    const insert = `INSERT INTO idempotency_records (id, fingerprint, created_at)
      SELECT sha256(convert_to($3 || number, 'UTF8')), '', now() - age FROM generate_series(1, $1) AS number, (SELECT $2::interval AS age) AS aged`;
    await database.query(insert, [2_500, '24 hours 1 second', 'old']);
    await database.query(insert, [3, '23 hours', 'young']);

    const server = await startTestServer({}, database);
    await within(10_000, async () => expect(await rowsOf('idempotency_records')).toBe(3));
    await server.close();
  });
});
