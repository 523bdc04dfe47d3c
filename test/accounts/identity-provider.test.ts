import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noLimit } from '@service/postgres/limits';
import { decodeJwt, EncryptJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProvider, providerSettings } from '../../src/accounts/sessions/provider/identity-provider.ts';
import { openProvider } from '../../src/accounts/sessions/provider/open-provider.ts';
import { ownPath } from '../../src/accounts/sessions/router.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import { CookieJar, settingsFor, startIdentityProvider } from '../support/credentials/identity-provider.ts';
import { makeSigningKey } from '../support/credentials/tokens.ts';
import { databaseForTest } from '../support/database.ts';

// A provider as the service sees it; with the service it is in sign-in.test.ts.

/** Nothing listens there: browsers of tests stop before they come back. */
const url = 'http://127.0.0.1:9';
type Peculiarities = Parameters<typeof startIdentityProvider>[1];

async function providerOf(peculiarities: Peculiarities, others: Record<string, string> = {}) {
  const identityProvider = await startIdentityProvider(url, peculiarities);
  onTestFinished(() => identityProvider.close());
  const config = parseConfig({ ...settingsFor(url, identityProvider.issuer), PORT: '0', ...others });
  const provider = createProvider(
    providerSettings.parse(config),
    async () => 'a secret',
    () => undefined,
  );
  return {
    identityProvider,
    provider,
    /** Who signs in, and the cookie to sign out with. */
    signIn: async (): Promise<Awaited<ReturnType<typeof provider.finish>>> => {
      const jar = new CookieJar();
      const { address, cookie } = await provider.begin('/console');
      const asked = await jar.follow(address, ({ pathname }) => /^\/(?:sign-in\/|session\/callback)/.test(pathname));
      if (asked.pathname.startsWith('/sign-in/')) asked.searchParams.set('login', 'ada');
      const back = await jar.follow(asked, ({ pathname }) => pathname === '/session/callback');
      return provider.finish(back.search, await provider.readBegun(cookie));
    },
  };
}

describe('a provider lets people in', () => {
  const pushed = (pushedAuthorizationRequests: object) => ({ features: { pushedAuthorizationRequests } });

  test.each([
    ['client_secret_basic', {}],
    ['client_secret_basic', { clientAuthMethods: ['client_secret_basic'] }],
    ['client_secret_post', { clientAuthMethods: ['client_secret_post'] }],
    ['client_secret_post', { clientAuthMethods: ['client_secret_basic', 'client_secret_post'] }],
    ['client_secret_post', pushed({ enabled: true })],
    ['client_secret_basic', pushed({ enabled: false })],
    ['client_secret_basic', pushed({ enabled: true, requirePushedAuthorizationRequests: true })],
  ] as const)('with %s and %j', async (method, configuration) => {
    const client = { token_endpoint_auth_method: method };
    const { signIn } = await providerOf({ configuration, client } as unknown as Peculiarities);
    expect((await signIn()).identity.name).toBe('Ada');
  });

  test('with the next method from then on, where it rejects the first that it names', async () => {
    const { identityProvider, signIn } = await providerOf({ rejectsBasic: true });
    for (let time = 0; time < 2; time += 1) expect((await signIn()).identity.name).toBe('Ada');
    // Pushed, rejected and pushed again; the rest is accepted.
    expect(identityProvider.requested.filter((path) => path === '/request' || path === '/token')).toHaveLength(5);
  });

  test('with Basic where it names no method', async () => {
    const { identityProvider, signIn } = await providerOf({
      client: { token_endpoint_auth_method: 'client_secret_basic' },
    });
    identityProvider.responses.set(
      '/.well-known/openid-configuration',
      ({ token_endpoint_auth_methods_supported: _, ...others }) => others,
    );
    expect((await signIn()).identity.name).toBe('Ada');
  });
});

describe('a provider rejects the service, and says to the operator', () => {
  const encrypted = { id_token_encrypted_response_alg: 'dir', id_token_encrypted_response_enc: 'A256GCM' };

  test.each([
    ['invalid_client: client authentication failed', {}, { OIDC_CLIENT_SECRET: 'another secret that is long enough' }],
    ['invalid_scope: requested scope is not allowed', { client: { scope: 'openid' } }, {}],
    [
      'the provider encrypts ID tokens, which this service does not read: turn that off',
      { configuration: { features: { encryption: { enabled: true } } }, client: encrypted },
      {},
    ],
  ] as const)('%s', async (said, peculiarities, others) => {
    const { signIn } = await providerOf(peculiarities as Peculiarities, others);
    await expect(signIn()).rejects.toMatchObject({
      problem: 'misconfigured',
      message: expect.stringContaining(said),
    });
  });
});

test('a logout token of a key that the provider has only now is believed at once, and others flood nobody', async () => {
  const { identityProvider, provider } = await providerOf({});
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: identityProvider.issuer,
    aud: 'academic-structure',
    iat: now,
    exp: now + 60,
    sub: 'ada',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  };
  await provider.readLogout(await identityProvider.sign({ ...claims, jti: 'first' }), noLimit);
  const added = await makeSigningKey('RS256', 'a new key');
  identityProvider.responses.set('/jwks', ({ keys }) => ({ keys: [...(keys as object[]), added.publicJwk] }));
  const unknown = await makeSigningKey('RS256', 'nobody has it');
  const sentAt = performance.now();
  const forged = Array.from({ length: 50 }, async (_, index) =>
    provider.readLogout(await unknown.sign({ ...claims, jti: `f${index}` }), noLimit),
  );
  for (const { status } of await Promise.allSettled(forged)) expect(status).toBe('rejected');
  expect(await provider.readLogout(await added.sign({ ...claims, jti: 'new' }), noLimit)).toMatchObject({ sub: 'ada' });
  const asked = identityProvider.requested.filter((path) => path === '/jwks').length;
  expect(asked).toBeLessThan(4 + (performance.now() - sentAt) / 1_000);
});

test('metadata that have changed cost one sign-in, after which one tries again', async () => {
  const { identityProvider, signIn } = await providerOf({});
  expect((await signIn()).identity.name).toBe('Ada');
  // From now on it signs with another algorithm, and says so.
  const { sign, publicJwk } = await makeSigningKey('ES256', 'another key');
  const changes = identityProvider.responses;
  changes.set('/jwks', ({ keys }) => ({ keys: [...(keys as object[]), publicJwk] }));
  changes.set('/.well-known/openid-configuration', (metadata) => ({
    ...metadata,
    id_token_signing_alg_values_supported: ['ES256'],
  }));
  changes.set('/token', async ({ id_token, ...others }) => ({
    ...others,
    id_token: await sign(decodeJwt(String(id_token))),
  }));
  await expect(signIn()).rejects.toMatchObject({
    problem: 'failed',
    message: 'unexpected JWT "alg" header parameter: the metadata of the provider have changed, and are read again',
  });
  expect((await signIn()).identity.name).toBe('Ada');
});

describe('the role of a sign-in', () => {
  test.each([
    [{ roles: ['editor'] }, undefined, { role: 'editor' }],
    [{ roles: ['viewer', 'admin', 'guest'] }, 'viewer', { role: 'admin' }],
    [{ roles: [] }, 'viewer', { role: 'viewer' }],
    [{ roles: 'students' }, 'viewer', { role: 'viewer' }],
    [{}, 'viewer', { role: undefined, firstRole: 'viewer' }],
    [{ roles: null }, 'viewer', { role: undefined, firstRole: 'viewer' }],
    [{}, undefined, { role: undefined, firstRole: undefined }],
  ])('with %j and the default role %s is %j', async (claims, OIDC_DEFAULT_ROLE, expected) => {
    const { identityProvider, signIn } = await providerOf(
      {},
      OIDC_DEFAULT_ROLE === undefined ? {} : { OIDC_DEFAULT_ROLE },
    );
    identityProvider.people.set('ada', { preferred_username: 'Ada', ...claims });
    expect((await signIn()).identity).toMatchObject(expected);
  });
});

describe('an address that is no provider has a message of its own', () => {
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].map((name) => [
    name,
    `https://login/${name}`,
  ]);
  const privateKeys = ['private_key_jwt', 'tls_client_auth'];
  const noMetadata = 'what it responds with is no OpenID Connect metadata';

  test.each([
    [404, {}, 'it responds with 404'],
    [503, {}, 'it responds with 503'],
    [200, 'a page', noMetadata],
    [200, { hello: 'world' }, noMetadata],
    [200, { issuer: 'ISSUER' }, 'its metadata have no authorization_endpoint, token_endpoint, jwks_uri'],
    [200, { issuer: 'ISSUER/' }, 'the issuer of the provider has a slash at its end, OIDC_ISSUER has none'],
    [200, { issuer: 'https://login.example.edu' }, 'the provider there calls itself https://login.example.edu'],
    [200, { issuer: 'login' }, noMetadata],
    [
      200,
      { issuer: 'ISSUER', ...Object.fromEntries(endpoints), token_endpoint_auth_methods_supported: privateKeys },
      'the provider accepts no client secret, only private_key_jwt, tls_client_auth',
    ],
  ])('%i, %j', async (status, body, cause) => {
    const host = createServer((_request, response) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body).replace('ISSUER', issuer);
      const type = typeof body === 'string' ? 'text/html' : 'application/json';
      response.writeHead(status, { 'content-type': type }).end(text);
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    onTestFinished(() => void host.close());
    const issuer = `http://127.0.0.1:${(host.address() as AddressInfo).port}/realms/university`;
    const warnings: string[] = [];
    const config = parseConfig({ ...settingsFor(url, issuer), PORT: '0' });
    createProvider(
      providerSettings.parse(config),
      async () => '',
      (message) => warnings.push(message),
    );
    await expect
      .poll(() => warnings)
      .toEqual([expect.stringContaining(`OIDC discovery failed at OIDC_ISSUER: ${cause}`)]);
  });

  test('before it is asked: without a client, or over HTTP', () => {
    const settings = { OIDC_ISSUER: 'http://login.example.edu', OIDC_SCOPES: 'openid', JWT_ROLES_CLAIM: 'roles' };
    expect(providerSettings.safeParse(settings).error?.issues.map(({ message }) => message)).toEqual([
      'OIDC_ISSUER must be an https address (http on this machine alone)',
      'OIDC_CLIENT_ID is required',
      'PUBLIC_URL is required',
    ]);
  });
});

test('the cookie of a sign-in is encrypted with a secret of the database, which nobody outside can guess', async () => {
  const database = await databaseForTest();
  const db = openDatabase({ url: database.url });
  onTestFinished(() => db.$disconnect());
  const settings = { ...parseConfig({ ...settingsFor(url, url), PORT: '0' }), OIDC_CLIENT_SECRET: undefined };
  const provider = await openProvider(settings, db, () => undefined);
  const begun = { state: 's', nonce: 'n', verifier: 'v', returnTo: '/console' };
  const cookieOf = (content: readonly unknown[]): Promise<string> =>
    new EncryptJWT(begun)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime('5m')
      .encrypt(hash('sha256', JSON.stringify(content), 'buffer'));
  // Of a public client, all of this is in the address of a sign-in.
  const client = [settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID];
  const [row] = await database.query('SELECT value FROM sign_in_secret');
  expect(row?.['value']).toMatch(/^[0-9a-f-]{72}$/);

  expect(await provider?.readBegun(await cookieOf([...client, row?.['value']]))).toEqual(begun);
  for (const guessed of [client, [...client, undefined], [...client, '']]) {
    await expect(provider?.readBegun(await cookieOf(guessed))).rejects.toMatchObject({ name: 'SignInError' });
  }
});

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
])('the path to return to of %j is %s', (given, path) => {
  expect(ownPath(given)).toBe(path);
});
