import supertest from 'supertest';
import { describe, expect, inject, it } from 'vitest';
import { displayPrefixOf, hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { userIdOf } from '../support/credentials/keys.ts';
import { secret, secretToken } from '../support/credentials/tokens.ts';
import { adminKey, useServer } from '../support/server.ts';
import { keyActions } from './keys/key-actions.ts';

// What is made with a credential ends no later, is read-only when that is, and is revoked with it.

const server = useServer({ JWT_SECRET: secret });
const minuteMs = 60_000;

const { mutate, rowOf, idOf, createKey, rotate, beginSession } = keyActions(server);
const isValid = async (key: string): Promise<boolean> =>
  (await server.graphql('{ viewer { name } }', {}, key)).status === 200;

let users = 0;
/** A key of a new administrator. */
const admin = (fields: object = {}) => {
  users += 1;
  return server.makeKey({ user: `admin ${users}`, role: 'admin', ...fields });
};

type Way = (by: string) => Promise<string>;

/** Each way to make a credential with another one of any kind. */
const ways: Record<string, Way> = {
  'a key': (by) => createKey(by),
  'a key that shall never expire': (by) => createKey(by, 'expiresIn: "never", readOnly: false'),
  'a key for another user': async (by) => {
    await admin();
    return createKey(by, `userId: ${await userIdOf(server.database, `admin ${users}`)}, readOnly: false`);
  },
  'a rotation of another key': async (by) => rotate(by, await admin()),
  'a rotation with an overlap': async (by) => rotate(by, await admin(), '9d'),
  'a session': beginSession,
  'a session of a session': async (by) => beginSession(await beginSession(by)),
};
const firstSteps = ['a rotation of another key', 'a session'].map((way) => [way, ways[way] ?? beginSession] as const);
const twoSteps = firstSteps.flatMap(([first, one]) =>
  Object.entries(ways).map(([then, two]): [string, Way] => [
    `${first}, then ${then}`,
    async (by) => two(await one(by)),
  ]),
);
const rotations: [string, Way][] = [
  ['its own rotation with an overlap', (by) => rotate(by, by, '9d')],
  ['its rotation in a session', async (by) => rotate(await beginSession(by), by, '9d')],
  ['its two rotations', async (by) => rotate(await rotate(by, by, '9d'), await createKey(by))],
  ['a rotation of what it made, by somebody else', async (by) => rotate(adminKey, await createKey(by), '9d')],
  [
    'the rotation of a rotation, by somebody else',
    async (by) => rotate(adminKey, await rotate(by, await createKey(by))),
  ],
];
const allWays = [...Object.entries(ways), ...(inject('thorough') ? twoSteps : twoSteps.slice(-2)), ...rotations];
describe('what is made with a key', () => {
  it.each(allWays)('ends no later, also when its end is moved, and is revoked with it: %s', async (way, make) => {
    const expiresAt = new Date(Date.now() + 60 * minuteMs);
    const key = await admin({ expiresAt });
    const made = await make(key);
    expect(Number((await rowOf(made))['expires_at'])).toBeLessThanOrEqual(expiresAt.getTime());

    const { id, revoked_at: revokedAt } = await rowOf(key);
    const sooner = await mutate(adminKey, `updateApiKey(id: ${id}, input: { expiresIn: "60s" }) { expiresAt }`);
    // The overlap of a replaced key may end without the other.
    if (revokedAt === null && !way.includes('its ')) {
      expect(Number((await rowOf(made))['expires_at'])).toBeLessThanOrEqual(Date.parse(sooner.expiresAt));
    }

    expect(await isValid(made)).toBe(true);
    const revoked = await mutate(adminKey, `revokeApiKey(id: ${id}) { state revokedWith { id state } }`);
    expect(await isValid(made)).toBe(false);
    expect(revoked.revokedWith).toContainEqual({ id: await idOf(made), state: 'REVOKED' });
  });

  it.each(allWays)('is read-only when it is, or not made at all: %s', async (_way, make) => {
    const made = await make(await admin({ readOnly: true })).catch(({ message }: Error) => message);
    if (made.startsWith('uas_')) expect(await rowOf(made)).toMatchObject({ read_only: true });
    else expect(made).toBe('This API key is read-only.');
  });

  it('names it', async () => {
    const key = await admin();
    const made = await mutate(key, 'createApiKey(input: {}) { apiKey { madeWith revokedWith { id } } }');
    expect(made.apiKey).toEqual({ madeWith: await idOf(key), revokedWith: [] });
  });

  it('goes with the key even when that was revoked before, by its own rotation', async () => {
    const key = await admin();
    const [made, session] = [await createKey(key), await beginSession(key)];
    const next = await rotate(key, key);
    expect([await isValid(key), await isValid(session)], 'sessions end with the rotation').toEqual([false, false]);
    expect([await isValid(made), await isValid(next)]).toEqual([true, true]);
    await mutate(adminKey, `revokeApiKey(id: ${await idOf(key)}) { id }`);
    expect([await isValid(made), await isValid(next)]).toEqual([false, false]);
  });

  it('goes with the key that has replaced it', async () => {
    const key = await admin();
    const made = await createKey(key);
    const next = await rotate(adminKey, key);
    await mutate(adminKey, `revokeApiKey(id: ${await idOf(next)}) { id }`);
    expect(await isValid(made)).toBe(false);
  });

  it('ends with the key that has replaced it, however many rotations lie between', async () => {
    const key = await admin();
    const made = [await createKey(key), await beginSession(await createKey(key))];
    const next = await rotate(adminKey, await rotate(adminKey, key, '9d'));
    made.push(await createKey(next), await rotate(adminKey, await createKey(key, 'expiresIn: "90d"')));
    const { expiresAt } = await mutate(
      adminKey,
      `updateApiKey(id: ${await idOf(next)}, input: { expiresIn: "60s" }) { expiresAt }`,
    );
    for (const each of made) expect(await rowOf(each)).toMatchObject({ expires_at: new Date(expiresAt) });
  });

  it('ends with the key that has replaced it, when a credential that ends sooner has made that', async () => {
    const key = await admin();
    const made = await createKey(key);
    const next = await rotate(await admin({ expiresAt: new Date(Date.now() + minuteMs) }), key);
    expect((await rowOf(made))['expires_at']).toEqual((await rowOf(next))['expires_at']);
  });

  it('stays when the session ends in which it was made, and goes when that is revoked', async () => {
    const key = await admin();
    const session = await beginSession(key);
    const made = await createKey(session);
    await supertest(server.url).delete('/session').set({ 'sec-fetch-site': 'same-origin', 'x-api-key': session });
    expect([await isValid(session), await isValid(made)]).toEqual([false, true]);
    await mutate(adminKey, `revokeApiKey(id: ${await idOf(session)}) { id }`);
    expect(await isValid(made)).toBe(false);
  });

  it('goes with a session that was made from a session, whichever of these is revoked', async () => {
    for (const revoked of [0, 1, 2]) {
      const sessions = [await beginSession(await admin())];
      for (let taken = 0; taken < 2; taken += 1) sessions.push(await beginSession(sessions.at(-1) ?? ''));
      const made = await createKey(sessions.at(-1) ?? '');
      expect(await Promise.all([...sessions, made].map(isValid))).toEqual([false, false, true, true]);
      await mutate(adminKey, `revokeApiKey(id: ${await idOf(sessions[revoked] ?? '')}) { id }`);
      expect(await Promise.all([...sessions, made].map(isValid))).toEqual([false, false, false, false]);
    }
  });

  it('goes with what a deleted user had their keys from, whichever of these had made it', async () => {
    const key = await admin();
    const userId = (await rowOf(await admin({ expiresAt: new Date(Date.now() + minuteMs) })))['user_id'];
    const first = await createKey(key, `userId: ${userId}, readOnly: false`);
    const rotated = await rotate(first, first, '9d');
    const second = await createKey(rotated, 'readOnly: false');
    const makers = [first, rotated, second, await rotate(rotated, second, '9d'), await beginSession(first)];
    const { user_id: otherId } = await rowOf(await admin());
    const made = await Promise.all(makers.map((by) => createKey(by, `userId: ${otherId}, readOnly: false`)));
    await server.database.query('UPDATE api_keys SET expires_at = now() WHERE user_id = $1', [userId]);
    await mutate(adminKey, `deleteUser(id: ${userId}) { id }`);
    expect(await Promise.all(made.map(isValid))).toEqual(made.map(() => true));
    await mutate(adminKey, `revokeApiKey(id: ${await idOf(key)}) { id }`);
    expect(await Promise.all(made.map(isValid))).toEqual(made.map(() => false));
  });

  it('goes with the session that took the place of the one that it was made in, which is forgotten', async () => {
    const key = await admin();
    const session = await beginSession(key);
    const made = await createKey(session);
    const next = await beginSession(session);
    await server.database.query(`UPDATE api_keys SET expires_at = now() - interval '31 days' WHERE id = $1`, [
      await idOf(session),
    ]);
    await beginSession(key);
    expect(await rowOf(session)).toEqual({});
    await mutate(adminKey, `revokeApiKey(id: ${await idOf(next)}) { id }`);
    expect([await isValid(made), await isValid(key)]).toEqual([false, true]);
  });

  it('leaves the key that it was made with, and what else was made with that', async () => {
    const key = await admin();
    const [one, other] = [await createKey(key), await createKey(key)];
    await mutate(adminKey, `revokeApiKey(id: ${await idOf(one)}) { id }`);
    expect([await isValid(one), await isValid(other), await isValid(key)]).toEqual([false, true, true]);
  });

  it('has an entry of its own in the audit log, in the change of the other', async () => {
    const key = await admin();
    const ids = [await idOf(await createKey(key)), await idOf(await beginSession(key))];
    await mutate(adminKey, `revokeApiKey(id: ${await idOf(key)}) { id }`);
    const entries = await server.database.query(
      `SELECT subject_id, after FROM audit_entries WHERE change_id =
         (SELECT change_id FROM audit_entries WHERE action = 'revoke' AND subject_id = $1) ORDER BY id`,
      [await idOf(key)],
    );
    expect(entries).toEqual([
      { subject_id: await idOf(key), after: { revokedWith: ids } },
      ...ids.map((id) => ({ subject_id: id, after: null })),
    ]);
  });
});

describe('an expiring key', () => {
  const change = async (by: string, key: string, expiresIn: string) =>
    mutate(by, `updateApiKey(id: ${await idOf(key)}, input: { expiresIn: "${expiresIn}" }) { expiresAt }`);
  const inAnHour = () => admin({ expiresAt: new Date(Date.now() + 60 * minuteMs) });

  it.each([
    ['itself', async (key: string) => key],
    ['a key that it made', (key: string) => createKey(key)],
    ['its session', beginSession],
  ])('ends sooner, but never later, by %s', async (_which, make) => {
    const key = await inAnHour();
    const by = await make(key);
    for (const later of ['never', '61m']) {
      await expect(change(by, key, later)).rejects.toThrow(/^The key must end by \S+, when your own key/);
    }
    await change(by, key, '10m');
    await expect(change(key, key, '30m')).rejects.toThrow('when your own key or token ends');
  });

  it('makes no other key end later than itself, unless that would end later still', async () => {
    const [key, other] = [await inAnHour(), await admin({ expiresAt: new Date(Date.now() + minuteMs) })];
    await change(key, await admin({ expiresAt: new Date(Date.now() + 180 * minuteMs) }), '2h');
    await expect(change(key, other, '2h')).rejects.toThrow('when your own key or token ends');
    await change(key, other, '30m');
    await change(adminKey, other, 'never');
  });
});

describe('what is made with a token', () => {
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const token = (sub: string) => secretToken({ sub, roles: ['admin'], exp });
  const withToken = allWays.filter(([way]) => !/^(a key(?! for)|its |a rotation of what|the rotation)/.test(way));

  it.each(withToken)('ends no later: %s', async (way, make) => {
    const { expires_at: end } = await rowOf(await make(token(way.slice(0, 200))));
    expect(Number(end)).toBeLessThanOrEqual(exp * 1_000);
  });

  it('is made though its end is beyond what the database gives back, in milliseconds for example', async () => {
    const late = secretToken({ sub: 'mila', roles: ['admin'], exp: exp * 1_000 });
    const session = await beginSession(late);
    expect(await rowOf(await createKey(late))).toMatchObject({ expires_at: new Date('9999-12-31T00:00:00Z') });
    expect(await isValid(await createKey(session, 'expiresIn: "never"'))).toBe(true);
  });

  it('grants nothing when a user of its name is disabled', async () => {
    await server.makeKey({ user: 'tessa' });
    const key = await createKey(await beginSession(token('tessa')));
    const query = async () => (await server.graphql('{ programs { count } }', {}, key)).body;
    expect(await query()).toMatchObject({ data: {} });
    await server.makeKey({ user: 'tessa', disabled: true });
    await expect.poll(async () => (await query()).errors?.[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});

describe('a session that began at the identity provider', () => {
  /** As the callback of the provider makes it. */
  async function signInAtProvider(role = 'admin'): Promise<string> {
    const session = `uas-session ${users}`;
    await admin();
    await server.database.query(
      `INSERT INTO api_keys (user_id, hash, prefix, kind, source, ends_at, expires_at)
       SELECT id, $1, $2, 'session', 'provider', now() + interval '1 hour', now() + interval '1 hour'
       FROM users WHERE name = $3 AND role = $4`,
      [hashApiKey(session), displayPrefixOf(session), `admin ${users}`, role],
    );
    return session;
  }

  it('is its owner in person: keys that are made in it have the end that they are given, and stay when it is revoked', async () => {
    const session = await signInAtProvider();
    const keys = [await createKey(session), await createKey(await beginSession(session))];
    for (const key of keys) expect(await rowOf(key)).toMatchObject({ expires_at: null });
    await mutate(adminKey, `revokeApiKey(id: ${await idOf(session)}) { id }`);
    for (const key of keys) expect(await isValid(key)).toBe(true);
  });

  it('prolongs keys', async () => {
    const session = await signInAtProvider();
    const key = await createKey(session, 'expiresIn: "1h"');
    await mutate(session, `updateApiKey(id: ${await idOf(key)}, input: { expiresIn: "never" }) { id }`);
    expect(await rowOf(key)).toMatchObject({ expires_at: null });
  });
});
