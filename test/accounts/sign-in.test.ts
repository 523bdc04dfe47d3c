import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import type { Configuration } from 'oidc-provider';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { providerSettings } from '../../src/accounts/sessions/identity-provider.ts';
import { ownPath } from '../../src/accounts/sessions/router.ts';
import { useDatabase } from '../support/database.ts';
import { CookieJar, type IdentityProvider, settingsFor, startIdentityProvider } from '../support/identity-provider.ts';
import { freePort } from '../support/process.ts';
import { serverForTest, startTestServer, type TestServer } from '../support/server.ts';
import { makeSigningKey } from '../support/tokens.ts';

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

describe('the path to return to', () => {
  test.each([
    ['/console/programs/7?tab=years#top', '/console/programs/7?tab=years#top'],
    ['//evil.example', '/console'],
    ['/\\evil.example', '/console'],
    ['/.//evil.example', '/console'],
    ['https://evil.example/console', '/console'],
    ['/\t/evil.example', '/console'],
    ['javascript:alert(1)', '/console'],
    ['console', '/console'],
    [undefined, '/console'],
    [['/console', '//evil.example'], '/console'],
  ])('of %j is %s', (given, path) => {
    expect(ownPath(given)).toBe(path);
  });
});

describe('a provider of another kind', () => {
  /** Ends at the address to which the browser goes back. */
  const signInAt = async (peculiarities: Parameters<typeof startIdentityProvider>[1], secret?: string) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const provider = await startIdentityProvider(url, peculiarities);
    onTestFinished(() => provider.close());
    return {
      provider,
      async end() {
        const server = await serverForTest({
          ...settingsFor(url, provider.issuer),
          ...(secret && { OIDC_CLIENT_SECRET: secret }),
        });
        const jar = new CookieJar();
        const begin = `${url}/session/sign-in?return=/console/trash`;
        const asked = await jar.follow(begin, (next) => /^\/(?:sign-in|console)\//.test(next.pathname));
        if (asked.pathname.startsWith('/sign-in/')) asked.searchParams.set('login', 'ada');
        const { pathname, search } = await jar.follow(asked, (next) => next.pathname.startsWith('/console'));
        return { location: pathname + search, server };
      },
    };
  };
  const metadata = '/.well-known/openid-configuration';

  test.each([
    ['client_secret_basic', {}],
    ['client_secret_basic', { clientAuthMethods: ['client_secret_basic'] }],
    ['client_secret_post', { clientAuthMethods: ['client_secret_post'] }],
    ['client_secret_post', { clientAuthMethods: ['client_secret_basic', 'client_secret_post'] }],
    ['client_secret_post', { features: { pushedAuthorizationRequests: { enabled: true } } }],
    ['client_secret_basic', { features: { pushedAuthorizationRequests: { enabled: false } } }],
    [
      'client_secret_basic',
      { features: { pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true } } },
    ],
  ] as const)('lets people in with %s and %j', async (method, configuration) => {
    const { end } = await signInAt({
      configuration: configuration as unknown as Configuration,
      client: { token_endpoint_auth_method: method },
    });
    expect((await end()).location).toBe('/console/trash');
  });

  test('gets Basic where it names no method', async () => {
    const { provider, end } = await signInAt({ client: { token_endpoint_auth_method: 'client_secret_basic' } });
    provider.responses.set(metadata, ({ token_endpoint_auth_methods_supported: _, ...others }) => others);
    expect((await end()).location).toBe('/console/trash');
  });

  test.each([
    ['a wrong secret', {}, /"said":"invalid_client: client authentication failed"/],
    [
      'a client that may not have the scopes',
      { client: { scope: 'openid' } },
      /"said":"invalid_scope: requested scope is not allowed"/,
    ],
    [
      'an encrypted ID token',
      {
        configuration: { features: { encryption: { enabled: true } } },
        client: {
          id_token_encrypted_response_alg: 'dir',
          id_token_encrypted_response_enc: 'A256GCM',
        },
      },
      /"said":"the provider encrypts ID tokens, which this service does not read: turn that off/,
    ],
  ] as const)('rejects the service for %s, and says so to the operator alone', async (what, peculiarities, said) => {
    const { end } = await signInAt(
      peculiarities as Parameters<typeof startIdentityProvider>[1],
      what === 'a wrong secret' ? 'another secret that is long enough' : undefined,
    );
    const { location, server } = await end();
    expect(location).toBe('/console/trash?sign-in=misconfigured');
    expect(server.logged.filter((line) => line.includes('sign-in failed'))).toEqual([expect.stringMatching(said)]);
  });

  test('signs a logout token with a key that it has only now, which is believed at once, and floods nobody', async () => {
    const { provider, end } = await signInAt({});
    const { server } = await end();
    const added = await makeSigningKey('RS256', 'a new key');
    provider.responses.set('/jwks', ({ keys }) => ({ keys: [...(keys as object[]), added.publicJwk] }));
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: provider.issuer,
      aud: 'academic-structure',
      iat: now,
      exp: now + 60,
      sub: 'ada',
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    };
    const send = async (token: string): Promise<number> => {
      const body = new URLSearchParams({ logout_token: token });
      return (await fetch(`${server.url}/session/back-channel-logout`, { method: 'POST', body })).status;
    };
    const unknown = await makeSigningKey('RS256', 'nobody has it');
    const sentAt = performance.now();
    const forged = Array.from({ length: 50 }, async (_, index) =>
      send(await unknown.sign({ ...claims, jti: `f${index}` })),
    );
    expect(new Set(await Promise.all(forged))).toEqual(new Set([400]));
    const early = provider.requested.filter((path) => path === '/jwks').length;
    expect(await send(await added.sign({ ...claims, jti: 'new' }))).toBe(200);
    const asked = provider.requested.filter((path) => path === '/jwks').length;
    expect(early).toBeLessThan(4 + (performance.now() - sentAt) / 1_000);
    expect(asked).toBeLessThan(5 + (performance.now() - sentAt) / 1_000);
  });
});

describe('an address that is no provider', () => {
  test.each([
    ['404', 404, {}, 'it responds with 404'],
    ['503', 503, {}, 'it responds with 503'],
    ['a page', 200, 'a page', 'what it responds with is no OpenID Connect metadata'],
    ['other JSON', 200, { hello: 'world' }, 'what it responds with is no OpenID Connect metadata'],
    ['no endpoint', 200, { issuer: 'ISSUER' }, 'its metadata have no authorization_endpoint, token_endpoint, jwks_uri'],
    [
      'a slash more',
      200,
      { issuer: 'ISSUER/' },
      'the issuer of the provider has a slash at its end, OIDC_ISSUER has none',
    ],
    [
      'another issuer',
      200,
      { issuer: 'https://login.example.edu' },
      'the provider there calls itself https://login.example.edu',
    ],
    ['an issuer that is no address', 200, { issuer: 'login' }, 'what it responds with is no OpenID Connect metadata'],
    [
      'private keys alone',
      200,
      {
        issuer: 'ISSUER',
        authorization_endpoint: 'https://login.example.edu/a',
        token_endpoint: 'https://login.example.edu/t',
        jwks_uri: 'https://login.example.edu/j',
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth'],
      },
      'the provider accepts no client secret, only private_key_jwt, tls_client_auth',
    ],
  ])('has a message of its own: %s', async (_what, status, body, cause) => {
    const host = createServer((_request, response) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body).replace('ISSUER', issuer);
      response
        .writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' })
        .end(text);
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    onTestFinished(() => void host.close());
    const issuer = `http://127.0.0.1:${(host.address() as AddressInfo).port}/realms/university`;
    const { logged } = await serverForTest({
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'y',
      PUBLIC_URL: 'https://catalog.example.edu',
    });
    const sentence = `OIDC discovery failed at OIDC_ISSUER: ${cause}`;
    await expect.poll(() => logged.filter((line) => line.includes(sentence))).toHaveLength(1);
  });
});

describe('a provider that cannot be used', () => {
  test('lacks a client or the address of the service', () => {
    const settings = { OIDC_ISSUER: 'https://login.example.edu', OIDC_SCOPES: 'openid', JWT_ROLES_CLAIM: 'roles' };
    expect(providerSettings.safeParse(settings).error?.issues.map(({ message }) => message)).toEqual([
      'OIDC_CLIENT_ID is required',
      'PUBLIC_URL is required',
    ]);
  });

  test.each([
    [
      { OIDC_ISSUER: 'http://login.example.edu', OIDC_CLIENT_ID: 'x', PUBLIC_URL: 'https://catalog.example.edu' },
      'OIDC_ISSUER must be an https address',
    ],
    [
      { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'x', PUBLIC_URL: 'https://catalog.example.edu' },
      'OIDC discovery failed at OIDC_ISSUER: it cannot be reached. Sign-in is unavailable; API keys still work.',
    ],
  ])('is one sentence in the log, and keys still work: %j', async (environment, sentence) => {
    const server = await serverForTest(environment);
    await expect.poll(() => server.logged.filter((line) => line.includes(sentence))).toHaveLength(1);
    const response = await fetch(`${server.url}/session/sign-in?return=/console`, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe('/console?sign-in=away');
    await server.graphql('{ viewer { name } }').expect(200);
  });
});
