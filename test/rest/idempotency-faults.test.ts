import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { startTestServer, startTwoServers, type TestServer } from '../support/server.ts';
import { lockTable } from '../support/table-lock.ts';
import { errorBody, statusAndBody } from './expectations.ts';

const path = '/api/academics/programs';
const sound = { name: 'Physics', duration: '4 Years' };
const stillRunning = errorBody(409, 'The first request with this Idempotency-Key is still running.');

let database: TestDatabase;
let servers: readonly [TestServer, TestServer];
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, servers, close } = await startTwoServers());
});
afterAll(() => close());
afterEach(() => database.query('TRUNCATE programs, branches, branch_years, idempotency_records'));

/** Sends the request now, not when its answer is first asked for. */
const create = async (body: object = sound, key = 'a-key', server = servers[0]) =>
  server.rest('post', path).set('Idempotency-Key', key).send(body);
const rowsOf = async (table: string): Promise<unknown> => (await database.query(`SELECT id FROM ${table}`)).length;

describe('a repeat that arrives while the first is running', () => {
  it.each([
    ['with the same body', sound, 0],
    ['with another body', { ...sound, name: 'Chemistry' }, 0],
    ['at another instance', sound, 1],
  ] as const)('is answered 409 at once, and replayed to afterwards: %s', async (_what, body, at) => {
    const held = await lockTable(database, 'programs');
    const first = create();
    await held.waitUntilBlocking();

    const early = await create(body, 'a-key', servers[at]);
    const unrelated = create(sound, 'another-key');
    await held.release();

    expect(statusAndBody(early)).toEqual(stillRunning);
    expect((await first).status).toBe(201);
    expect((await unrelated).status).toBe(201);
    const late = await create(sound, 'a-key', servers[at]);
    expect(late.text).toBe((await first).text);
    expect(late.headers).toMatchObject({ 'idempotency-replayed': 'true' });
  });
});

describe('fifty requests at once with one key', () => {
  it('make one program: the others are replayed to or told to come back', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create(sound, 'a-key', servers[index % 2 === 0 ? 0 : 1])),
    );

    const [made, ...others] = answers.filter((answer) => answer.status === 201 && !isReplay(answer));
    expect(others).toEqual([]);
    for (const answer of answers) {
      if (answer.status === 201) expect(answer.text).toBe(made?.text);
      else expect(statusAndBody(answer)).toEqual(stillRunning);
    }
    expect(await rowsOf('programs')).toBe(1);
    expect((await create()).text).toBe(made?.text);
  });
});

function isReplay({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): boolean {
  return headers['idempotency-replayed'] === 'true';
}

describe('a create that failed', () => {
  it('leaves neither program nor record when its connection is cut, and succeeds when it is sent again', async () => {
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
    'leaves nothing when %s cannot be written, and succeeds when it is sent again',
    async (table) => {
      await database.query(`ALTER TABLE ${table} ADD CONSTRAINT refusing CHECK (false) NOT VALID`);
      const failed = await create();
      await database.query(`ALTER TABLE ${table} DROP CONSTRAINT refusing`);

      expect(statusAndBody(failed)).toEqual(errorBody(500, 'Internal server error.'));
      expect([await rowsOf('programs'), await rowsOf('idempotency_records')]).toEqual([0, 0]);
      const again = await create();
      expect([again.status, isReplay(again)]).toEqual([201, false]);
    },
  );
});

describe('an outcome', () => {
  beforeEach(async () => {
    await create();
  });
  const age = (interval: string) =>
    database.query(`UPDATE idempotency_records SET created_at = now() - interval '${interval}'`);

  it('is replayed until 24 hours have passed', async () => {
    await age('23 hours 59 minutes');

    expect(isReplay(await create())).toBe(true);
  });

  it('is forgotten after 24 hours: the same key then makes another program, with any body', async () => {
    await age('24 hours');

    const anew = await create({ ...sound, name: 'Chemistry' });

    expect([anew.status, isReplay(anew)]).toEqual([201, false]);
    expect((await create({ ...sound, name: 'Chemistry' })).text).toBe(anew.text);
    expect(await rowsOf('programs')).toBe(2);
  });

  it('is replayed by another instance', async () => {
    expect(isReplay(await create(sound, 'a-key', servers[1]))).toBe(true);
  });
});

describe('records that have expired', () => {
  it('are removed by a service that runs, many at a time, and the others stay', async () => {
    const insert = `INSERT INTO idempotency_records (id, fingerprint, created_at)
      SELECT sha256(number::text::bytea), '', now() - age FROM generate_series(1, $1) AS number, (SELECT $2::interval AS age) AS aged`;
    await database.query(insert, [2_500, '24 hours 1 second']);
    await database.query(insert.replace('number::text', "'young' || number"), [3, '23 hours']);

    const server = await startTestServer({}, database);
    await vi.waitFor(async () => expect(await rowsOf('idempotency_records')).toBe(3), { timeout: 10_000 });
    await server.close();
  });
});
