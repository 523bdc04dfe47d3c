import { lockTable, waitingForLocks } from '@service/postgres/testing/table-lock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advisoryLocks } from '../../src/database/locks.ts';
import { CookieJar, type IdentityProvider, logOut, settingsFor } from '../support/credentials/identity-provider.ts';
import { startWithProvider } from '../support/credentials/with-provider.ts';
import { clientForTest, useDatabase } from '../support/database.ts';
import { serverForTest, type TestServer } from '../support/server.ts';

// Sign-ins and logouts by the provider, while somebody changes users or keys in a transaction that takes its time.

const database = useDatabase();
let provider: IdentityProvider;
let server: TestServer;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ url, server, provider, close } = await startWithProvider(database, { TRUSTED_PROXY_HOPS: '1' }));
});
afterAll(() => close());

/** Signs in up to the address to which the provider sends the browser back. */
const upToCallback = async (login: string) => {
  provider.people.set(login, { preferred_username: login, roles: ['viewer'] });
  const jar = new CookieJar();
  const begun = await jar.get(new URL('/session/sign-in?return=/console', url));
  const asked = await jar.follow(begun.headers.get('location') ?? '', ({ pathname }) =>
    pathname.startsWith('/sign-in/'),
  );
  asked.searchParams.set('login', login);
  return { jar, callback: await jar.follow(asked, ({ pathname }) => pathname === '/session/callback') };
};

const locationOf = ({ headers }: Response) => headers.get('location');

const logout = (sub: string): Promise<number> => logOut(url, provider, { sub });

/** Holds the lock of users and keys until the test releases it. */
const holdAccounts = async () => {
  const client = await clientForTest(database.url);
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.accounts]);
  return { release: () => client.query('COMMIT') };
};

const waiting = async (): Promise<readonly unknown[]> =>
  (
    await database.query(`SELECT pid ${waitingForLocks} AND locktype = 'advisory' AND objid = $1 ORDER BY pid`, [
      advisoryLocks.accounts,
    ])
  ).map(({ pid }) => pid);
const expectWaiting = (count: number) => expect.poll(waiting, { timeout: 20_000, interval: 5 }).toHaveLength(count);

test('whoever begins sign-ins, without any key, takes no connection from others', async () => {
  const begin = async () => {
    const { headers } = await fetch(`${url}/session/sign-in?return=/console`, { redirect: 'manual' });
    return headers.get('location')?.startsWith(provider.issuer);
  };
  expect(await begin()).toBe(true);
  await lockTable(database, 'sign_in_secret', 'ACCESS EXCLUSIVE');
  expect(await Promise.all(Array.from({ length: 20 }, begin))).not.toContain(false);
});

test('a sign-in that changes nothing of its user takes few statements, all of which others wait for', async () => {
  const signIn = async () => {
    const { jar, callback } = await upToCallback('again');
    server.statements.length = 0;
    expect(locationOf(await jar.get(callback))).toBe('/console');
    return server.statements.map((sql) => sql.trim().split(/\s/)[0]);
  };
  await signIn();
  // The lock, logouts, the user, the sign-in and the keys that it revives, the number of sessions, the session, its entry.
  const expected = ['WITH', 'SELECT', 'SELECT', 'UPDATE', 'UPDATE', 'SELECT', 'INSERT', 'INSERT', 'COMMIT'];
  expect(await signIn()).toEqual(expected);
});

describe('sign-ins and logouts', () => {
  test('all wait for one lock, so that none holds another up, nor sign-ins a logout', async () => {
    const gone = await upToCallback('gone');
    expect(locationOf(await gone.jar.get(gone.callback))).toBe('/console');
    const people = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(upToCallback));
    const held = await holdAccounts();
    const answers = people.map(({ jar, callback }) => jar.get(callback));
    // As many as may have connections.
    await expectWaiting(4);
    const ended = logout('gone');
    await expectWaiting(5);
    await held.release();
    expect((await Promise.all(answers)).map(locationOf)).toEqual(people.map(() => '/console'));
    expect(await ended).toBe(200);
    const sessions = await database.query(
      `SELECT revoked_at IS NULL AS active FROM api_keys JOIN users ON users.id = user_id WHERE subject = 'gone'`,
    );
    expect(sessions).toEqual([{ active: false }]);
  });

  test('wait in turns of their networks, so that nobody waits for all people of another', async () => {
    const campus = await Promise.all(Array.from({ length: 16 }, (_, index) => upToCallback(`campus-${index}`)));
    const elsewhere = await upToCallback('elsewhere');
    const held = await holdAccounts();
    const arrive = (network: string, { jar, callback }: (typeof campus)[number]) =>
      jar.get(callback, { 'x-forwarded-for': network });
    const told = () => provider.requested.filter((path) => path === '/me').length;
    const before = told();
    const ofCampus = campus.map((person) => arrive('192.0.2.1', person));
    await expect.poll(told, { interval: 5 }).toBe(before + campus.length);
    const ofOther = arrive('192.0.2.2', elsewhere);
    await expect.poll(told, { interval: 5 }).toBe(before + campus.length + 1);
    // What the provider has said of the last one is read within as many turns.
    for (let turn = 0; turn < 30; turn += 1) await fetch(`${url}/session`);
    await held.release();
    expect((await Promise.all([...ofCampus, ofOther])).map(locationOf)).toEqual(
      [...campus, elsewhere].map(() => '/console'),
    );
    const [{ earlier } = { earlier: undefined }] = await database.query(`
      SELECT count(*)::int AS earlier FROM api_keys JOIN users ON users.id = user_id
      WHERE subject LIKE 'campus-%' AND api_keys.id < (
        SELECT max(api_keys.id) FROM api_keys JOIN users ON users.id = user_id WHERE subject = 'elsewhere')`);
    // The four that have connections, and one whose turn comes first.
    expect(earlier).toBeLessThanOrEqual(5);
  });

  test('of one person wait for each other, so that they take neither a sign-in nor a logout from others', async () => {
    const gone = await upToCallback('away');
    await gone.jar.get(gone.callback);
    const [many, others] = await Promise.all(
      [Array.from({ length: 13 }, () => 'many'), ['x', 'y']].map((logins) => Promise.all(logins.map(upToCallback))),
    );
    const held = await holdAccounts();
    const ofMany = (many ?? []).map(({ jar, callback }) => jar.get(callback));
    // One has a connection, ten wait, and the rest are told so at once.
    const refused = await Promise.race(ofMany);
    expect(locationOf(refused)).toBe('/console?sign-in=unavailable');
    await expectWaiting(1);
    const ofOthers = (others ?? []).map(({ jar, callback }) => jar.get(callback));
    await expectWaiting(3);
    const logouts = Array.from({ length: 5 }, () => logout('many'));
    await expectWaiting(4);
    const ended = logout('away');
    await expectWaiting(5);
    await held.release();
    expect((await Promise.all(ofOthers)).map(locationOf)).toEqual(['/console', '/console']);
    expect(await ended).toBe(200);
    expect(await Promise.all(logouts)).toEqual([200, 200, 200, 200, 200]);
    const told = (await Promise.all(ofMany)).map(locationOf);
    // The logouts came after all were confirmed, and after the turn of one.
    expect(told.filter((address) => address === '/console')).toHaveLength(1);
    expect(told.filter((address) => address === '/console?sign-in=failed')).toHaveLength(10);
    const active = await database.query(
      `SELECT 1 FROM api_keys JOIN users ON users.id = user_id WHERE subject = 'many' AND revoked_at IS NULL`,
    );
    expect(active).toEqual([]);
  });

  test('are made all the same when what they wait for takes too long, or their connection is lost', async () => {
    const gone = await upToCallback('late');
    await gone.jar.get(gone.callback);
    const held = await holdAccounts();
    const ended = logout('late');
    await expectWaiting(1);
    const [pid] = await waiting();
    await database.query('SELECT pg_terminate_backend($1, 5000)', [pid]);
    await expect.poll(async () => (await waiting()).filter((other) => other !== pid), { interval: 5 }).toHaveLength(1);
    await held.release();
    expect(await ended).toBe(200);
  });
});

test('a sign-in that waited in vain is told as unavailable, and is no failed login', async () => {
  const limited = await serverForTest(
    { ...settingsFor(url, provider.issuer), PORT: '0', AUTH_FAILURES_PER_MINUTE: '1' },
    database,
  );
  await database.query(`
    CREATE FUNCTION busy() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'canceling statement due to lock timeout' USING ERRCODE = '55P03'; END $$;
    CREATE TRIGGER busy BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION busy()`);
  const people = await Promise.all(['first', 'second'].map(upToCallback));
  const answers = await Promise.all(
    people.map(({ jar, callback }) => jar.get(new URL(callback.pathname + callback.search, limited.url))),
  );
  expect(answers.map(locationOf)).toEqual(people.map(() => '/console?sign-in=unavailable'));
  expect(limited.logged.join('')).toContain(`"reason":"unavailable"`);
  await database.query('DROP TRIGGER busy ON api_keys');
  const later = await upToCallback('later');
  const answer = await later.jar.get(new URL(later.callback.pathname + later.callback.search, limited.url));
  expect(locationOf(answer)).toBe('/console');
});
