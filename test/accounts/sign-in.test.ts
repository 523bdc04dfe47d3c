import { randomUUID } from 'node:crypto';
import { decodeJwt, type JWTPayload } from 'jose';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CookieJar, type IdentityProvider, logOut, settingsFor } from '../support/credentials/identity-provider.ts';
import { startWithProvider } from '../support/credentials/with-provider.ts';
import { useDatabase } from '../support/database.ts';
import { serverForTest, startTestServer, type TestServer } from '../support/server.ts';

const misconfigured = '/console/programs?q=law&sign-in=misconfigured';
const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

describe('signing in with the account of an identity provider', () => {
  const database = useDatabase();
  let provider: IdentityProvider;
  let server: TestServer;
  let other: TestServer;
  let url: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ url, provider, server, close } = await startWithProvider(database));
    const settings = { ...settingsFor(url, provider.issuer), PORT: '0', OIDC_DEFAULT_ROLE: 'viewer' };
    other = await startTestServer(settings, database);
  });
  afterAll(async () => {
    await other.close();
    await close();
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

  test('tells people of one name and one sub apart, such as after the provider has had three addresses', async () => {
    await database.query(`INSERT INTO users (name, role, issuer, subject) VALUES
      ('Ines', 'viewer', 'https://first.example.edu', 's-1'), ('Ines (s-1)', 'viewer', 'https://second.example.edu', 's-1')`);
    provider.people.set('s-1', { preferred_username: 'Ines', roles: ['viewer'] });
    for (let time = 0; time < 2; time += 1) {
      expect(await viewerOf(await signIn('s-1'))).toMatchObject({ name: 'Ines (s-1) 2' });
    }
  });

  test('leaves the role as it is while no claim says one, and tells administrators which role a claim will give', async () => {
    const userOf = async (name: string) => {
      const { body } = await server.graphql('{ users { id name role roleFromClaims signedInAt issuer subject } }');
      return body.data.users.find((user: { name: string }) => user.name === name);
    };
    provider.people.set('gus', { preferred_username: 'Gus', roles: 'editor' });
    await signIn('gus');
    const { id, ...user } = await userOf('Gus');
    const tied = { issuer: provider.issuer, subject: 'gus', signedInAt: expect.any(String) };
    expect(user).toEqual({ name: 'Gus', role: 'EDITOR', roleFromClaims: true, ...tied });

    await server.graphql(`mutation { updateUser(id: ${id}, input: { role: ADMIN }) { id } }`);
    for (const roles of [undefined, null]) {
      provider.people.set('gus', { preferred_username: 'Gus', roles });
      expect(await viewerOf(await signIn('gus'))).toMatchObject({ role: 'ADMIN' });
      expect(await userOf('Gus')).toMatchObject({ roleFromClaims: false });
    }
    provider.people.set('gus', { preferred_username: 'Gus', roles: { viewer: { 1: 'example.edu' } } });
    expect(await viewerOf(await signIn('gus'))).toMatchObject({ role: 'VIEWER' });
    provider.people.set('gus', { preferred_username: 'Gus', roles: [] });
    const jar = new CookieJar();
    expect(await failed(jar, await upToCallback(jar, 'gus'))).toBe('/console/programs?q=law&sign-in=no-role');

    provider.people.set('new', { preferred_username: 'New' });
    const first = new CookieJar();
    expect(await failed(first, await upToCallback(first, 'new'))).toBe('/console/programs?q=law&sign-in=no-role');
    expect(await userOf('New')).toBeUndefined();
  });

  test('ends as one too many when the person has begun sixty within an hour', async () => {
    provider.people.set('often', { preferred_username: 'Often', roles: ['viewer'] });
    await signIn('often');
    await database.query(`INSERT INTO api_keys (user_id, kind, name, hash, prefix, source, expires_at, ends_at)
      SELECT user_id, kind, api_keys.name, sha256(i::text::bytea), prefix, source, expires_at, ends_at
      FROM api_keys JOIN users ON users.id = user_id, generate_series(2, 60) AS i WHERE users.name = 'Often'`);
    const jar = new CookieJar();
    expect(await failed(jar, await upToCallback(jar, 'often'))).toBe('/console/programs?q=law&sign-in=too-many');
  });

  test('has the default role at the first time, and later when a claim gives none', async () => {
    const signInThere = async () => {
      const jar = new CookieJar();
      const { pathname, search } = await upToCallback(jar, 'dee');
      await jar.get(`${other.url}${pathname}${search}`);
      return (await viewerOf(jar))?.role;
    };
    provider.people.set('dee', { preferred_username: 'Dee' });
    expect(await signInThere()).toBe('VIEWER');
    await database.query(`UPDATE users SET role = 'editor' WHERE name = 'Dee'`);
    expect(await signInThere()).toBe('EDITOR');
    provider.people.set('dee', { preferred_username: 'Dee', roles: ['students'] });
    expect(await signInThere()).toBe('VIEWER');
  });

  test('moves to another user by an administrator, who is this person from the next sign-in on', async () => {
    provider.people.set('ora', { preferred_username: 'Ora', roles: ['editor'] });
    const before = await signIn('ora');
    await server.makeKey({ user: 'Ora of old', role: 'viewer' });
    const ids = await database.query(`SELECT id FROM users WHERE name LIKE 'Ora%' ORDER BY id`);
    const [from, to] = ids.map(({ id }) => Number(id));
    const move = (from?: number, to?: number) =>
      server.graphql('mutation ($from: Int!, $to: Int!) { moveIdentity(from: $from, to: $to) { name subject } }', {
        from,
        to,
      });

    expect((await move(to, from)).body.errors[0]).toMatchObject({
      message: 'User Ora of old has never signed in at an identity provider.',
      extensions: { code: 'CONFLICT' },
    });
    expect((await move(from, 1_000_000)).body.errors[0].extensions.code).toBe('NOT_FOUND');
    expect((await move(from, to)).body.data.moveIdentity).toEqual({ name: 'Ora of old', subject: 'ora' });
    expect(await viewerOf(before)).toBeUndefined();
    const identity = { issuer: provider.issuer, subject: 'ora' };
    const entries = await database.query(
      `SELECT actor, subject_id, before, after FROM audit_entries
       WHERE subject = 'User' AND action = 'update' AND subject_id = ANY ($1) ORDER BY id`,
      [[from, to]],
    );
    const state = { disabled: false, role: 'editor', name: 'Ora' };
    const old = { disabled: false, role: 'viewer', name: 'Ora of old' };
    expect(entries).toEqual([
      { actor: 'admin', subject_id: from, before: { ...state, ...identity }, after: state },
      { actor: 'admin', subject_id: to, before: old, after: { ...old, ...identity } },
    ]);

    await signIn('ora');
    const found = await database.query(`SELECT id, name, role FROM users WHERE subject = 'ora'`);
    // The first user keeps the name until it is renamed or deleted.
    expect(found).toEqual([{ id: to, name: 'Ora (ora)', role: 'editor' }]);
  });

  test('is refused to who has no role, and to a disabled user', async () => {
    const jar = new CookieJar();
    expect(await failed(jar, await upToCallback(jar, 'ned'))).toBe('/console/programs?q=law&sign-in=no-role');
    const vera = await signIn('vera');
    await database.query(`UPDATE users SET disabled = true WHERE subject = 'vera'`, []);
    const again = new CookieJar();
    expect(await failed(again, await upToCallback(again, 'vera'))).toBe('/console/programs?q=law&sign-in=disabled');
    await expect.poll(async () => (await viewerOf(vera))?.role).toBeNull();
    await database.query(`UPDATE users SET disabled = false WHERE subject = 'vera'`, []);
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

  test('is not asked of the provider again once as many have failed as may', async () => {
    const jar = new CookieJar();
    const callback = await upToCallback(jar, 'ada');
    const limited = await serverForTest(
      { ...settingsFor(url, provider.issuer), PORT: '0', AUTH_FAILURES_PER_MINUTE: '2' },
      database,
    );
    callback.searchParams.set('code', 'of-nobody');
    const asked = () => provider.requested.filter((path) => path === '/token').length;
    const before = asked();
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      const again = await new CookieJar(jar).get(new URL(callback.pathname + callback.search, limited.url));
      statuses.push(again.status);
    }
    expect(statuses).toEqual([303, 303, 429, 429]);
    expect(asked() - before).toBe(2);
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

  const signOut = async (jar: CookieJar) => {
    const response = await jar.send('DELETE', `${url}/session`, own);
    return (await response.json()) as { signOut?: string; stillSignedInAt?: string };
  };

  test('signs out at the provider, too, by the ID token that the browser has kept, encrypted', async () => {
    const jar = await signIn('ada');
    const kept = jar.cookie('sign-out-of-academic-structure');
    expect(kept).toMatch(/^eyJ.*; Max-Age=604800; Path=\/session; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    const body = await signOut(jar);
    expect(body).toEqual({ signOut: expect.stringContaining(`${provider.issuer}/session/end?`) });
    const { searchParams } = new URL(body.signOut ?? '');
    expect(searchParams.get('post_logout_redirect_uri')).toBe(`${url}/console`);
    expect(decodeJwt(searchParams.get('id_token_hint') ?? '')).toMatchObject({ sub: 'ada', aud: 'academic-structure' });
    expect(await viewerOf(jar)).toBeUndefined();
    expect(jar.cookie('sign-out-of-academic-structure')).toBeUndefined();
    expect(server.logged.join('')).not.toContain(searchParams.get('id_token_hint'));
  });

  test('says what stays open where the provider may ask, or ends no session', async () => {
    const host = new URL(provider.issuer).host;
    // The ID token of so many groups is too large for a cookie.
    const groups = Array.from({ length: 200 }, () => randomUUID());
    provider.responses.set('/token', async ({ id_token, ...others }) => ({
      ...others,
      id_token: await provider.sign({ ...decodeJwt(String(id_token)), groups }),
    }));
    const jar = await signIn('ada');
    provider.responses.clear();
    expect(await signOut(jar)).toEqual({
      signOut: expect.not.stringContaining('id_token_hint'),
      stillSignedInAt: host,
    });

    provider.responses.set('/.well-known/openid-configuration', ({ end_session_endpoint: _, ...others }) => others);
    const settings = { ...settingsFor(url, provider.issuer), PORT: '0' };
    const withoutEnd = await startTestServer(settings, database);
    const session = (await signIn('ada')).session;
    const headers = { ...own, cookie: `academic-structure-session=${session}` };
    const ended = await fetch(`${withoutEnd.url}/session`, { method: 'DELETE', headers });
    provider.responses.clear();
    expect(await ended.json()).toEqual({ stillSignedInAt: host });
    await withoutEnd.close();
  });

  test('ends when the session at the provider ends, and no other', async () => {
    const [jar, elsewhere] = [await signIn('ada'), await signIn('ada')];
    // The session that takes the place of one is still that of the provider.
    expect((await jar.send('POST', `${url}/session`, own)).status).toBe(204);
    const end = await (await jar.get(`${provider.issuer}/session/end`)).text();
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(end) ?? [];
    await jar.get(`${provider.issuer}/session/end/confirm`, {}, new URLSearchParams({ xsrf, logout: 'yes' }));
    await expect.poll(() => viewerOf(jar)).toBeUndefined();
    expect(await viewerOf(elsewhere)).toMatchObject({ name: 'Ada' });
    expect(provider.failures).toEqual([]);
  });

  test('ends all sessions of a user by a logout token that names no session, and none by an invalid one', async () => {
    const jar = await signIn('ada');
    const now = Math.floor(Date.now() / 1_000);
    // Older than the ID token of whoever signs in afterwards.
    const valid = { iat: now - 1, jti: '1', sub: 'ada' };
    const send = (claims: object): Promise<number> => logOut(url, provider, claims);
    for (const wrong of [
      { aud: 'another client' },
      { iss: 'http://127.0.0.1:1' },
      { events: {} },
      { nonce: 'of an ID token' },
      { sub: undefined },
      { sub: 'ada\u0000' },
      { sid: 'of no\u0000session' },
      { jti: undefined },
      { iat: now - 600 },
      { exp: now - 60 },
    ]) {
      expect(await send({ ...valid, ...wrong })).toBe(400);
    }
    expect(await viewerOf(jar)).toMatchObject({ name: 'Ada' });
    expect(await send({ iat: now + 25, sid: 'of nobody' })).toBe(200);
    expect(await viewerOf(jar)).toMatchObject({ name: 'Ada' });
    expect(await send(valid)).toBe(200);
    expect(await viewerOf(jar)).toBeUndefined();
    const again = await signIn('ada');
    expect(await send(valid), 'the same token once more').toBe(400);
    expect(await viewerOf(again)).toMatchObject({ name: 'Ada' });
    const { body } = await supertest(provider.issuer).get('/.well-known/openid-configuration');
    const keys = new URL(body.jwks_uri).pathname;
    expect(provider.requested.filter((path) => path === keys).length, 'one caller cannot flood it').toBeLessThan(3);
  });

  /** Leaves the session out of the provider's ID tokens, until its responses are cleared. */
  const leaveOutSession = () =>
    provider.responses.set('/token', async ({ id_token, ...others }) => {
      const { sid: _, ...claims } = decodeJwt(String(id_token));
      return { ...others, id_token: await provider.sign(claims) };
    });

  test('ends, by a logout token of a session and its person, those of the person that name no session, too', async () => {
    // Nobody has logged these out in this second.
    for (const login of ['noor', 'zoe']) provider.people.set(login, { preferred_username: login, roles: ['viewer'] });
    const known = await signIn('noor');
    leaveOutSession();
    const unknown = await signIn('noor');
    const another = await signIn('zoe');
    provider.responses.clear();
    expect(await logOut(url, provider, { sid: 'another' })).toBe(200);
    expect(await viewerOf(unknown)).toMatchObject({ name: 'noor' });
    expect(await logOut(url, provider, { sid: 'another', sub: 'noor' })).toBe(200);
    expect(await viewerOf(unknown)).toBeUndefined();
    expect(await viewerOf(known)).toMatchObject({ name: 'noor' });
    expect(await viewerOf(another)).toMatchObject({ name: 'zoe' });
  });

  test.each([
    ['no younger than the ID token', 0, 'failed'],
    ['a second older than it', 1, null],
  ])('heeds a logout of a session of the person, when a sign-in names none: %s', async (what, seconds, reason) => {
    provider.people.set(what, { preferred_username: what, roles: ['viewer'] });
    provider.responses.set('/token', async ({ id_token, ...others }) => {
      const { sid: _, ...claims } = decodeJwt(String(id_token));
      const iat = (claims.iat ?? 0) - seconds;
      expect(await logOut(other.url, provider, { iat, sub: what, sid: 'another' })).toBe(200);
      return { ...others, id_token: await provider.sign(claims) };
    });
    const jar = new CookieJar();
    const response = await jar.get(await upToCallback(jar, what));
    provider.responses.clear();
    expect(new URL(response.headers.get('location') ?? '', url).searchParams.get('sign-in')).toBe(reason);
  });

  test.each([
    ['of the person', ({ sub }: JWTPayload) => ({ sub }), 'failed'],
    ['of its session', ({ sub, sid }: JWTPayload) => ({ sub, sid }), 'failed'],
    ['of its session, which names no person', ({ sid }: JWTPayload) => ({ sid }), 'failed'],
    ['of its session, a minute before', ({ iat = 0, sid }: JWTPayload) => ({ iat: iat - 60, sid }), 'failed'],
    ['of the person, a second before', ({ iat = 0, sub }: JWTPayload) => ({ iat: iat - 1, sub }), null],
    ['of another session', ({ sub }: JWTPayload) => ({ sub, sid: 'another' }), null],
    ['of another person', () => ({ sub: 'another' }), null],
  ])('heeds a logout at another instance that overtakes the sign-in: %s', async (what, named, reason) => {
    provider.people.set(what, { preferred_username: what, roles: ['viewer'] });
    provider.responses.set('/token', async (tokens) => {
      const claims = decodeJwt(String(tokens['id_token']));
      expect(await logOut(other.url, provider, { iat: claims.iat, ...named(claims) })).toBe(200);
      return tokens;
    });
    const jar = new CookieJar();
    const response = await jar.get(await upToCallback(jar, what));
    provider.responses.clear();
    const location = new URL(response.headers.get('location') ?? '', url);
    expect([location.searchParams.get('sign-in'), await viewerOf(jar)]).toEqual([
      reason,
      reason === null ? expect.objectContaining({ name: what }) : undefined,
    ]);
  });

  test('ends by a POST alone', async () => {
    const address = `${url}/session/back-channel-logout`;
    for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS']) {
      const { status, headers } = await fetch(address, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  test.each([
    ['the wrong audience', () => ({ aud: 'another client' }), misconfigured],
    ['another issuer', () => ({ iss: 'http://127.0.0.1:1' }), misconfigured],
    ['another nonce', () => ({ nonce: 'another' }), misconfigured],
    ['an expiry 25 s ago', (now: number) => ({ exp: now - 25 }), '/console/programs?q=law'],
    ['an expiry 60 s ago', (now: number) => ({ exp: now - 60 }), misconfigured],
    ['two audiences and no azp', () => ({ aud: ['academic-structure', 'another client'] }), misconfigured],
    ['NUL in its sub', () => ({ sub: 'ada\u0000' }), misconfigured],
    ['a line break in its sub', () => ({ sub: 'ada\nadmin' }), misconfigured],
    ['an invisible character in its sub', () => ({ sub: 'ada\u200b' }), misconfigured],
    ['a sub that is too long', () => ({ sub: 'a'.repeat(2_000) }), misconfigured],
  ])('checks an ID token with %s', async (_what, change, location) => {
    provider.responses.set('/token', async ({ id_token, ...others }) => {
      const claims = { ...decodeJwt(String(id_token)), ...change(Math.floor(Date.now() / 1_000)) };
      return { ...others, id_token: await provider.sign(claims) };
    });
    provider.responses.set('/me', (claims) => ({ ...claims, ...change(0) }));
    const jar = new CookieJar();
    const response = await jar.get(await upToCallback(jar, 'ada'));
    provider.responses.clear();
    expect(response.headers.get('location')).toBe(location);
    expect(server.logged.join('')).not.toMatch(/Prisma|"level":50/);
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
