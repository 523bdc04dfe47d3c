import { randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../src/accounts/keys/api-key.ts';
import { applySignInDays } from '../../../src/accounts/keys/sign-in-end.ts';
import { signInAs } from '../../../src/accounts/sessions/sessions.ts';
import { openDatabase } from '../../../src/database/prisma.ts';
import type { Database } from '../../../src/database/types.ts';
import type { Role } from '../../../src/validation/permissions.ts';
import { runCommand } from '../../cli/run-command.ts';
import { userIdOf } from '../../support/credentials/keys.ts';
import { adminKey, useInstances } from '../../support/server.ts';
import { keyActions } from './key-actions.ts';

// Keys that people of an identity provider made for themselves work while their last sign-in there is young.

const [server, other] = useInstances(2);
const { database } = server;
const days = 90;

let db: Database;
beforeAll(() => {
  db = openDatabase({ url: database.url });
});
afterAll(() => db.$disconnect());
const dayMs = 86_400_000;

/** Signs a person in at the provider, as its callback does; returns the session. */
async function signIn(name: string, role: Role = 'editor'): Promise<string> {
  const identity = {
    issuer: 'https://login.example.edu',
    subject: name,
    name,
    role,
    providerSession: null,
    issuedAt: new Date(),
  };
  const origin = { requestId: null, changeId: randomUUID() };
  return db.$transaction((tx) => signInAs(tx, identity, 'A browser', days, origin));
}

let people = 0;
const person = async (role?: Role) => {
  people += 1;
  const name = `person ${people}`;
  return { name, session: await signIn(name, role), signInAgain: () => signIn(name, role) };
};

const { mutate, rowOf, idOf, createKey, rotate, beginSession } = keyActions(server);
const dueOf = async (key: string): Promise<Date | null> => ((await rowOf(key))['sign_in_until'] as Date | null) ?? null;

/** Lets days pass since the last sign-in of somebody. */
async function age(name: string, by: number): Promise<void> {
  await database.query(`UPDATE users SET signed_in_at = signed_in_at - $2::int * interval '24 hours' WHERE name = $1`, [
    name,
    by,
  ]);
  await applySignInDays(db, days);
}

const statuses = async (key: string): Promise<number[]> =>
  Promise.all([server, other].map(async ({ rest }) => (await rest('get', '/ping', key)).status));
const eventually = (key: string, expected: number) =>
  expect.poll(() => statuses(key), { interval: 50 }).toEqual([expected, expected]);

describe('a key that a person of the identity provider made for themselves', () => {
  it('works for so many days after their last sign-in, and again after the next, on every instance', async () => {
    const { name, session, signInAgain } = await person();
    const key = await createKey(session);
    const [user] = await database.query('SELECT signed_in_at FROM users WHERE name = $1', [name]);
    expect(Number(await dueOf(key))).toBe(Number(user?.['signed_in_at']) + days * dayMs);
    await eventually(key, 200);

    await age(name, days);
    await eventually(key, 401);
    const { body } = await server.graphql(`{ apiKeys(filter: { user: "${name}", kind: KEY }) { state signInUntil } }`);
    expect(body.data.apiKeys).toEqual([{ state: 'EXPIRED', signInUntil: expect.any(String) }]);

    await signInAgain();
    await eventually(key, 200);
    expect(Number(await dueOf(key))).toBeGreaterThan(Date.now() + (days - 1) * dayMs);
  });

  it('ends at its time though nothing changes then', async () => {
    const { session } = await person();
    const key = await createKey(session);
    await eventually(key, 200);
    await database.query(`UPDATE api_keys SET sign_in_until = clock_timestamp() + interval '2 s' WHERE hash = $1`, [
      hashApiKey(key),
    ]);
    await expect.poll(() => statuses(key), { timeout: 8_000, interval: 50 }).toEqual([401, 401]);
  });

  it.each<[string, (key: string, session: string) => Promise<string>]>([
    ['a key that it made', (key) => createKey(key)],
    ['a key that such a key made', async (key) => createKey(await createKey(key))],
    ['its session', (key) => beginSession(key)],
    ['a key made in its session', async (key) => createKey(await beginSession(key))],
    ['its rotation', (key) => rotate(key, key)],
    ['its rotation by an administrator', (key) => rotate(adminKey, key)],
  ])('ends and revives with what is made with it: %s', async (_what, make) => {
    const { name, session, signInAgain } = await person();
    const key = await make(await createKey(session), session);
    await eventually(key, 200);
    await age(name, days);
    await eventually(key, 401);
    await signInAgain();
    await eventually(key, 200);
  });

  it('takes with it what an administrator has made with it for others', async () => {
    const { name, session } = await person('admin');
    await server.makeKey({ user: `robot of ${name}` });
    const userId = await userIdOf(database, `robot of ${name}`);
    const key = await createKey(await createKey(session), `userId: ${userId}`);
    await eventually(key, 200);
    await age(name, days);
    await eventually(key, 401);
  });

  it('prolongs no key beyond its own end, but those of the same person', async () => {
    const { name, session } = await person('admin');
    const key = await createKey(session);
    const own = await createKey(session, 'expiresIn: "1h"');
    const prolong = async (other: string) =>
      mutate(key, `updateApiKey(id: ${await idOf(other)}, input: { expiresIn: "never" }) { expiresAt }`);
    const exempt = await server.makeKey({ user: name, role: 'admin', expiresAt: new Date(Date.now() + dayMs) });
    await expect(prolong(exempt)).rejects.toThrow('when your own key or token ends');
    expect(await prolong(own)).toEqual({ expiresAt: null });
    expect(await dueOf(own)).not.toBeNull();
  });
});

describe('a key needs no sign-in', () => {
  it.each<[string, (name: string, session: string) => Promise<string>]>([
    ['made on the command line', (name) => server.makeKey({ user: name })],
    [
      'made for its user by an administrator',
      async (name) => createKey(adminKey, `userId: ${await userIdOf(database, name)}`),
    ],
    [
      'made for its user by an administrator who signed in at the provider',
      async (name) =>
        createKey((await person('admin')).session, `userId: ${await userIdOf(database, name)}, readOnly: false`),
    ],
    ['the rotation of one of these', async (name, session) => rotate(session, await server.makeKey({ user: name }))],
    ['made for themselves by a user of no provider', async () => createKey(await server.makeKey({ user: 'nobody' }))],
    ['the session at the provider itself', async (_name, session) => session],
  ])('%s', async (_what, make) => {
    const { name, session } = await person();
    const key = await make(name, session);
    await age(name, days + 1);
    expect([await dueOf(key), ...(await statuses(key))]).toEqual([null, 200, 200]);
  });
});

describe('the number of days', () => {
  it('is applied at the start of the service, and changes nothing when it is the same', async () => {
    const { name, session } = await person();
    const key = await createKey(session);
    const changes = async () => Number((await database.query('SELECT count(*) FROM change_log'))[0]?.['count']);
    await applySignInDays(db, 30);
    const [user] = await database.query('SELECT signed_in_at FROM users WHERE name = $1', [name]);
    expect(Number(await dueOf(key))).toBe(Number(user?.['signed_in_at']) + 30 * dayMs);
    const before = await changes();
    await applySignInDays(db, 30);
    expect(await changes()).toBe(before);
    await age(name, 365);
    await applySignInDays(db, 0);
    expect(await dueOf(key)).toBeNull();
    await eventually(key, 200);
    await applySignInDays(db, days);
  });
});

describe('fourteen days before', () => {
  it('check, the metric and the list of keys say so', async () => {
    const { name, session } = await person();
    await createKey(session, 'name: "script"');
    const metric = async () =>
      /^api_keys_needing_sign_in (\d+)$/m.exec((await supertest(server.url).get('/metrics')).text)?.[1];
    const check = async () => {
      const { out } = await runCommand(database.url, ['check', '--json']);
      return JSON.parse(out).filter((found: { check: string }) => found.check === 'keys');
    };
    await database.query(`UPDATE api_keys SET revoked_at = now() WHERE sign_in_until < now() + interval '20 days'`);
    await age(name, days - 15);
    expect(await check()).toEqual([]);
    await expect.poll(metric).toBe('0');

    await age(name, 2);
    expect(await check()).toEqual([
      {
        check: 'keys',
        result: 'warning',
        detail: `keys end within 14 days unless their users sign in at the identity provider: ${name} (1)`,
      },
    ]);
    await expect.poll(metric).toBe('1');
    const { err } = await runCommand(database.url, ['keys', 'list', '--user', name]);
    expect(err).toMatch(
      new RegExp(`^Key \\d+ \\(script\\) of ${name} ends \\S+ unless its user signs in again\\.$`, 'm'),
    );
  });
});
