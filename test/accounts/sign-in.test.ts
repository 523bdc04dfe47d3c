import { decodeJwt } from 'jose';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CookieJar,
  type IdentityProvider,
  settingsFor,
  startIdentityProvider,
} from '../support/credentials/identity-provider.ts';
import { useDatabase } from '../support/database.ts';
import { freePort } from '../support/process.ts';
import { serverForTest, startTestServer, type TestServer } from '../support/server.ts';

const misconfigured = '/console/programs?q=law&sign-in=misconfigured';
const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

describe('signing in with the account of an identity provider', () => {
  const database = useDatabase();
  let provider: IdentityProvider;
  let server: TestServer;
  let other: TestServer;
  let url: string;

  beforeAll(async () => {
    url = `http://127.0.0.1:${await freePort()}`;
    provider = await startIdentityProvider(url);
    server = await startTestServer(settingsFor(url, provider.issuer), database);
    other = await startTestServer({ ...settingsFor(url, provider.issuer), PORT: '0' }, database);
  });
  afterAll(async () => {
    await server.close();
    await other.close();
    await provider.close();
  });

  /** The address at the provider, and the state that the cookie is named by. */
  const begin = async (jar: CookieJar, returnTo: string): Promise<{ address: string; state: string }> => {
    const before = jar.names;
    const response = await jar.get(`${url}/session/sign-in?${new URLSearchParams({ return: returnTo })}`);
    const added = jar.names.find((name) => !before.includes(name));
    const state = added?.replace('academic-structure-sign-in-', '') ?? '';
    return { address: response.headers.get('location') ?? '', state };
  };

  const toCallback = async (jar: CookieJar, address: string, login: string): Promise<URL> => {
    const asked = await jar.follow(address, ({ pathname }) => /^\/(?:sign-in\/|session\/callback)/.test(pathname));
    // A provider that knows the browser already asks nothing.
    if (asked.pathname.startsWith('/sign-in/')) asked.searchParams.set('login', login);
    return jar.follow(asked, (next) => next.pathname === '/session/callback');
  };

  /** Signs in up to the address to which the provider sends the browser back. */
  const upToCallback = async (jar: CookieJar, login: string, returnTo = '/console/programs?q=law'): Promise<URL> =>
    toCallback(jar, (await begin(jar, returnTo)).address, login);

  const signIn = async (login: string): Promise<CookieJar> => {
    const jar = new CookieJar();
    const response = await jar.get(await upToCallback(jar, login));
    expect(response.headers.get('location')).toBe('/console/programs?q=law');
    return jar;
  };

  const failed = async (jar: CookieJar, callback: URL): Promise<string | null> => {
    const response = await jar.get(callback);
    expect(response.status).toBe(303);
    expect(jar.session).toBeUndefined();
    return response.headers.get('location');
  };

  const viewerOf = async (jar: CookieJar, at = url) => {
    const query = new URLSearchParams({ query: '{ viewer { name role key { id kind name } } }' });
    const response = await jar.get(`${at}/graphql?${query}`, own);
    const { data } = (await response.json()) as {
      data?: { viewer: { name: string; role: string; key: { id: number } } };
    };
    return data?.viewer;
  };

  test('makes a user with the name and role of the claims, and keeps the path', async () => {
    const jar = await signIn('ada');
    expect(await viewerOf(jar)).toMatchObject({ name: 'Ada', role: 'EDITOR', key: { kind: 'SESSION' } });
    expect(await viewerOf(jar, other.url)).toMatchObject({ name: 'Ada' });
    expect(await database.query('SELECT issuer, subject FROM users WHERE name = $1', ['Ada'])).toEqual([
      { issuer: provider.issuer, subject: 'ada' },
    ]);
  });

  test('updates name and role at each later sign-in, of the same user', async () => {
    const before = await database.query(`SELECT id FROM users WHERE subject = 'ada'`, []);
    provider.people.set('ada', { preferred_username: 'Ada L', roles: ['viewer'] });
    const jar = await signIn('ada');
    expect(await viewerOf(jar)).toMatchObject({ name: 'Ada L', role: 'VIEWER' });
    expect(await database.query(`SELECT id FROM users WHERE subject = 'ada'`, [])).toEqual(before);
    provider.people.set('ada', { preferred_username: 'Ada', roles: ['editor'] });
  });

  test('never gives a user who has a name already to somebody of that name', async () => {
    provider.people.set('mallory', { preferred_username: 'admin', roles: ['viewer'] });
    const jar = await signIn('mallory');
    expect(await viewerOf(jar)).toMatchObject({ name: 'admin (mallory)', role: 'VIEWER' });
  });

  test('is refused to who has no role, and to a disabled user', async () => {
    const jar = new CookieJar();
    expect(await failed(jar, await upToCallback(jar, 'ned'))).toBe('/console/programs?q=law&sign-in=no-role');
    const vera = await signIn('vera');
    await database.query(`UPDATE users SET disabled = true WHERE subject = 'vera'`, []);
    const again = new CookieJar();
    expect(await failed(again, await upToCallback(again, 'vera'))).toBe('/console/programs?q=law&sign-in=disabled');
    await expect.poll(async () => (await viewerOf(vera))?.role, { timeout: 5_000 }).toBeNull();
    await database.query(`UPDATE users SET disabled = false WHERE subject = 'vera'`, []);
  });

  test('ends at any instance', async () => {
    const jar = new CookieJar();
    const callback = await upToCallback(jar, 'ada');
    const response = await jar.get(`${other.url}${callback.pathname}${callback.search}`);
    expect(response.headers.get('location')).toBe('/console/programs?q=law');
    expect(await viewerOf(jar)).toMatchObject({ name: 'Ada' });
  });

  test('is begun in several tabs at once, each of which ends where it was going, and none disturbs another', async () => {
    const jar = new CookieJar();
    const [first, second, third] = [
      await begin(jar, '/console/programs'),
      await begin(jar, '/console/branches'),
      await begin(jar, '/console/trash'),
    ];
    const cancelled = () => {
      const callback = new URL('/session/callback?error=access_denied', url);
      callback.searchParams.set('state', second.state);
      callback.searchParams.set('iss', provider.issuer);
      return callback;
    };
    const ends: (string | null)[] = [];
    for (const tab of [first, third]) {
      ends.push((await jar.get(await toCallback(jar, tab.address, 'ada'))).headers.get('location'));
    }
    for (const callback of [cancelled(), cancelled()]) ends.push((await jar.get(callback)).headers.get('location'));
    expect(ends).toEqual([
      '/console/programs',
      '/console/trash',
      '/console/branches?sign-in=cancelled',
      '/console?sign-in=failed',
    ]);
    expect(await viewerOf(jar)).toMatchObject({ name: 'Ada' });
    expect(jar.names).toEqual(['academic-structure-session']);
  });

  test('is begun any number of times, and the browser keeps few cookies of it', async () => {
    const jar = new CookieJar();
    for (let times = 0; times < 8; times += 1)
      await jar.get(new URL(`/session/sign-in?return=/console/${'x'.repeat(900)}`, url));
    const begun = jar.names.filter((name) => name.startsWith('academic-structure-sign-in-'));
    expect(begun).toHaveLength(5);
    await signIn('ada');
  });

  test('is refused with a code that was used, the state of another browser, and no state at all', async () => {
    const jar = new CookieJar();
    const callback = await upToCallback(jar, 'ada');
    const [replayed, elsewhere] = [new CookieJar(jar), new CookieJar()];
    expect((await jar.get(callback)).headers.get('location')).toBe('/console/programs?q=law');
    expect(await failed(replayed, callback)).toBe('/console/programs?q=law&sign-in=failed');
    expect(await failed(elsewhere, callback)).toBe('/console?sign-in=failed');

    // Its own cookie is not the one of this state.
    const victim = new CookieJar();
    await upToCallback(victim, 'vera');
    const attacker = new CookieJar();
    expect(await failed(victim, await upToCallback(attacker, 'ada'))).toBe('/console?sign-in=failed');

    const changed = new CookieJar();
    const withoutState = await upToCallback(changed, 'ada');
    withoutState.searchParams.delete('state');
    expect(await failed(changed, withoutState)).toBe('/console?sign-in=failed');
  });

  test('puts no code, state or cookie into the log', async () => {
    const jar = new CookieJar();
    const callback = await upToCallback(jar, 'ada');
    await jar.get(callback);
    const log = server.logged.join('');
    expect(log).toContain('/session/callback');
    for (const secret of [callback.searchParams.get('code'), callback.searchParams.get('state'), jar.session]) {
      expect(log).not.toContain(secret);
    }
  });

  test('signs out at the provider, too, whose back-channel ends the other sessions there', async () => {
    const jar = await signIn('ada');
    const response = await fetch(`${url}/session`, {
      method: 'DELETE',
      headers: { ...own, cookie: `academic-structure-session=${jar.session}` },
    });
    const { signOut } = (await response.json()) as { signOut: string };
    expect(signOut).toContain(`${provider.issuer}/session/end?`);
    expect(signOut).toContain(encodeURIComponent(`${url}/console`));
    expect(await viewerOf(jar)).toBeUndefined();
  });

  test('ends when the session at the provider ends, and no other', async () => {
    const [jar, elsewhere] = [await signIn('ada'), await signIn('ada')];
    const end = await (await jar.get(`${provider.issuer}/session/end`)).text();
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(end) ?? [];
    await jar.get(`${provider.issuer}/session/end/confirm`, {}, new URLSearchParams({ xsrf, logout: 'yes' }));
    await expect.poll(() => viewerOf(jar), { timeout: 5_000 }).toBeUndefined();
    expect(await viewerOf(elsewhere)).toMatchObject({ name: 'Ada' });
    expect(provider.failures).toEqual([]);
  });

  test('ends all sessions of a user by a logout token that names no session, and none by an invalid one', async () => {
    const jar = await signIn('ada');
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const now = Math.floor(Date.now() / 1_000);
    const valid = {
      iss: provider.issuer,
      aud: 'academic-structure',
      iat: now,
      exp: now + 60,
      jti: '1',
      sub: 'ada',
      events,
    };
    const send = async (claims: object): Promise<number> => {
      const body = new URLSearchParams({ logout_token: await provider.sign(claims) });
      return (await fetch(`${url}/session/back-channel-logout`, { method: 'POST', body })).status;
    };
    for (const wrong of [
      { aud: 'another client' },
      { iss: 'http://127.0.0.1:1' },
      { events: {} },
      { nonce: 'of an ID token' },
      { sub: undefined },
      { jti: undefined },
      { iat: now - 600 },
      { exp: now - 60 },
    ]) {
      expect(await send({ ...valid, ...wrong })).toBe(400);
    }
    expect(await viewerOf(jar)).toMatchObject({ name: 'Ada' });
    expect(await send({ ...valid, iat: now + 25 })).toBe(200);
    expect(await viewerOf(jar)).toBeUndefined();
    const again = await signIn('ada');
    expect(await send({ ...valid, iat: now + 25 }), 'the same token once more').toBe(400);
    expect(await viewerOf(again)).toMatchObject({ name: 'Ada' });
    const { body } = await supertest(provider.issuer).get('/.well-known/openid-configuration');
    const keys = new URL(body.jwks_uri).pathname;
    expect(provider.requested.filter((path) => path === keys).length, 'one caller cannot flood it').toBeLessThan(3);
  });

  test.each([
    ['the wrong audience', () => ({ aud: 'another client' }), misconfigured],
    ['another issuer', () => ({ iss: 'http://127.0.0.1:1' }), misconfigured],
    ['another nonce', () => ({ nonce: 'another' }), misconfigured],
    ['an expiry 25 s ago', (now: number) => ({ exp: now - 25 }), '/console/programs?q=law'],
    ['an expiry 60 s ago', (now: number) => ({ exp: now - 60 }), misconfigured],
  ])('checks an ID token with %s', async (_what, change, location) => {
    provider.responses.set('/token', async ({ id_token, ...others }) => {
      const claims = { ...decodeJwt(String(id_token)), ...change(Math.floor(Date.now() / 1_000)) };
      return { ...others, id_token: await provider.sign(claims) };
    });
    const jar = new CookieJar();
    const response = await jar.get(await upToCallback(jar, 'ada'));
    provider.responses.clear();
    expect(response.headers.get('location')).toBe(location);
  });
});

test('a provider that cannot be used is one sentence in the log, and keys still work', async () => {
  const server = await serverForTest({
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'x',
    PUBLIC_URL: 'https://catalog.example.edu',
  });
  const sentence =
    'OIDC discovery failed at OIDC_ISSUER: it cannot be reached. Sign-in is unavailable; API keys still work.';
  await expect.poll(() => server.logged.filter((line) => line.includes(sentence))).toHaveLength(1);
  const response = await fetch(`${server.url}/session/sign-in?return=/console`, { redirect: 'manual' });
  expect(response.headers.get('location')).toBe('/console?sign-in=away');
  await server.graphql('{ viewer { name } }').expect(200);
});
