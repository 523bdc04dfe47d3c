import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createEpochs, createSnapshots } from '@service/change-log/epochs';
import { describe, expect, it } from 'vitest';
import { reauthenticationOf } from '../../src/doors/authenticate-request.ts';
import type { Caller } from '../../src/operations/caller.ts';
import { type Role, rightsOf } from '../../src/validation/permissions.ts';
import { clientForTest, useDatabase } from '../support/database.ts';
import { within } from '../support/running-time.ts';
import { useServer } from '../support/server.ts';

const database = useDatabase();
const server = useServer({}, database);

/** A key that the service has cached. */
async function cachedKey(user: string, role: Role = 'editor'): Promise<string> {
  const key = await server.makeKey({ user, role });
  expect((await server.rest('get', '/ping', key)).status).toBe(200);
  return key;
}

const revoke = (user: string) =>
  database.query(
    'UPDATE api_keys SET revoked_at = now() FROM users WHERE users.id = api_keys.user_id AND users.name = $1',
    [user],
  );
const isRejected = (key: string) =>
  within(2_000, async () => expect(await (await server.rest('get', '/ping', key)).status).toBe(401));

interface Response {
  readonly status: number | undefined;
  readonly body: unknown;
}

/** Sends the headers of a request and waits for 100 Continue; the returned function sends the body. */
async function begin(path: string, key: string, body: string): Promise<() => Promise<Response>> {
  const request = http.request(server.url + path, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  // Listened for from the beginning: a response that comes early is what the test expects, or is seen.
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  request.flushHeaders();
  await Promise.race([once(request, 'continue'), responded]);
  return async () => {
    request.end(body);
    const response = await responded;
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  };
}

/** The same without `Expect`, as browsers do, for a request that hits the response cache. */
async function beginCached(key: string, query: string): Promise<() => Promise<Response>> {
  const body = JSON.stringify({ query, variables: {} });
  const request = http.request(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length },
  });
  request.write(body.slice(0, 1));
  await once(request, 'socket');
  const responded = once(request, 'response') as Promise<[IncomingMessage]>;
  await server.rest('get', '/ping');
  return async () => {
    request.end(body.slice(1));
    const [response] = await responded;
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  };
}

const programs = '/v1/api/academics/programs';
const program = { name: 'Physics', duration: '4 Years' };
const createProgram = `mutation { createProgram(input: { name: "Physics", duration: "4 Years" }) { id } }`;
const count = async () => (await database.query('SELECT count(*)::int AS count FROM programs'))[0]?.['count'];
const message = 'API key is invalid.';

describe('a request whose body arrives after its key was revoked', () => {
  it.each([
    ['REST', programs, JSON.stringify(program), { message }],
    [
      'GraphQL',
      '/graphql',
      JSON.stringify({ query: createProgram }),
      { errors: [{ message, extensions: { code: 'API_KEY_INVALID' } }] },
    ],
  ])('is rejected and changes nothing: %s', async (surface, path, body, rejection) => {
    const user = `revoked, ${surface}`;
    const key = await cachedKey(user);
    const before = await count();
    const finish = await begin(path, key, body);
    await revoke(user);
    await isRejected(key);

    expect(await finish()).toEqual({ status: 401, body: rejection });
    expect(await count()).toBe(before);
  });

  it('is not served from the cache', async () => {
    const key = await cachedKey('revoked, cached');
    const query = '{ programs { count } }';
    for (const _ of ['miss', 'hit']) expect((await server.graphql(query, undefined, key)).status).toBe(200);
    const finish = await beginCached(key, query);
    await revoke('revoked, cached');
    await isRejected(key);

    expect((await finish()).status).toBe(401);
  });

  it('is authorized by the role that its caller has by then', async () => {
    const key = await cachedKey('demoted');
    const before = await count();
    const [rest, graphql] = [
      await begin(programs, key, JSON.stringify(program)),
      await begin('/graphql', key, JSON.stringify({ query: createProgram })),
    ];
    await database.query(`UPDATE users SET role = 'guest' WHERE name = 'demoted'`);
    const list = () => server.rest('get', '/api/academics/programs', key);
    await within(1_000, async () => expect(await (await list()).status).toBe(403));

    expect((await rest()).status).toBe(403);
    expect((await graphql()).body).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    expect(await count()).toBe(before);
  });
});

describe('a write that waits for a database connection while keys are revoked', () => {
  /** As many as the pool has, of which a caller has four. */
  const connections = 10;

  const createNamed = `mutation ($name: String!) { createProgram(input: { name: $name, duration: "4 Years" }) { id } }`;
  const surfaces = [
    [
      'REST',
      (key: string, name: string) => server.rest('post', '/api/academics/programs', key).send({ ...program, name }),
    ],
    ['GraphQL', (key: string, name: string) => server.graphql(createNamed, { name }, key)],
    [
      'GraphQL with a key',
      (key: string, name: string) => server.graphql(createNamed, { name }, key).set('Idempotency-Key', 'waited'),
    ],
  ] as const;
  const named = (name: string) => database.query('SELECT 1 FROM programs WHERE name = $1', [name]);

  /** The service knows what was committed before: a rejected key may have been looked up for another reason. */
  const untilPolled = async (): Promise<void> => {
    const [row] = await database.query('SELECT clock_timestamp()::text AS now');
    const polled = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle'
      AND application_name LIKE '%(change log)' AND query_start > $1::timestamptz`;
    await within(2_000, async () => expect(await database.query(polled, [row?.['now']])).not.toEqual([]), 5);
  };

  /** Sends a request that waits until the key of this user is revoked. */
  const whileRevoked = async <Answer>(user: string, send: () => Promise<Answer>): Promise<Answer> => {
    const revoked = await cachedKey(user);
    const { id } = await server.make.program();
    const gate = await clientForTest(database.url);
    await gate.query(`SELECT pg_advisory_lock(1);
      CREATE OR REPLACE FUNCTION wait_for_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        WHILE NOT pg_try_advisory_xact_lock_shared(1) LOOP PERFORM pg_sleep(0.005); END LOOP;
        RETURN NEW;
      END $$;
      CREATE OR REPLACE TRIGGER wait_for_gate BEFORE INSERT ON branches FOR EACH ROW EXECUTE FUNCTION wait_for_gate()`);
    const branch = { programId: id, name: 'Optics', years: 3 };
    const keys = await Promise.all(['ann', 'bob', 'eve'].map((name) => server.makeKey({ user: name, role: 'editor' })));
    const branches = Array.from({ length: connections }, (_, index) =>
      server
        .rest('post', '/api/academics/branches', keys[index % 3])
        .send(branch)
        .then(({ status }) => status),
    );
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    await within(1_000, async () => expect(await database.query(waiting)).toHaveLength(connections), 5);
    server.statements.length = 0;
    const answer = send();
    // Later requests have been responded to: this one waits.
    for (const _ of ['first', 'second']) await server.rest('get', '/ping');
    await revoke(user);
    await untilPolled();
    await isRejected(revoked);
    await gate.query('SELECT pg_advisory_unlock(1)');
    expect(await Promise.all(branches)).toEqual(branches.map(() => 201));
    return answer;
  };

  it.each(surfaces)('changes nothing with a key that was: %s', async (surface, create) => {
    const user = `waited, ${surface}`;
    const key = await cachedKey(user);
    const created = await whileRevoked(user, () => create(key, user).then(({ body }) => body));
    expect(JSON.stringify(created)).toContain(message);
    expect(await named(user)).toEqual([]);
  });

  it.each(surfaces)('is made in one transaction with another key: %s', async (surface, create) => {
    const user = `stays, ${surface}`;
    const key = await cachedKey(user);
    const { body } = await whileRevoked(`another, ${surface}`, () => create(key, user).then());
    expect(body.errors).toBeUndefined();
    expect(await named(user)).toHaveLength(1);
    // Prisma names none.
    expect(server.statements.filter((sql) => sql === 'BEGIN').length).toBeLessThan(2);
  });
});

describe('work in the name of a caller that begins after users or keys have changed', () => {
  const caller: Caller = {
    userId: null,
    name: 'ada',
    active: true,
    ...rightsOf('editor'),
    readOnly: false,
    keyId: 1,
    expiresAt: null,
  };

  it.each([
    ['has fewer permissions', { ...caller, ...rightsOf('viewer') }, false],
    ['is disabled', { ...caller, active: false }, false],
    ['has the same permissions', caller, true],
  ])('is done only if the caller may still do the same: who %s', async (_what, now, permitted) => {
    const epochs = createEpochs();
    const takeSnapshot = () => createSnapshots(epochs, () => true)('access');
    const reauthentication = reauthenticationOf(caller, takeSnapshot(), takeSnapshot, async () => now);
    epochs.bump('access');
    expect(reauthentication.mayHaveChanged()).toBe(true);

    const authenticated = reauthentication.requireCurrent();

    if (permitted) {
      await authenticated;
      expect(reauthentication.mayHaveChanged()).toBe(false);
    } else {
      await expect(authenticated).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
  });

  it('is done only if the caller may still do the same, when changes may be unknown', async () => {
    const takeSnapshot = () => createSnapshots(createEpochs(), () => false)('access');
    const disabled = async () => ({ ...caller, active: false });
    const reauthentication = reauthenticationOf(caller, takeSnapshot(), takeSnapshot, disabled);
    expect(reauthentication.mayHaveChanged()).toBe(true);
    await expect(reauthentication.requireCurrent()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
