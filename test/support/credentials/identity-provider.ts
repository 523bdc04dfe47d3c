import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider';
import { makeSigningKey } from './tokens.ts';

/** The claims of a user at the provider, by login. */
type People = Map<string, Record<string, unknown>>;

type ChangeResponse = (body: Record<string, unknown>) => object | Promise<object>;

/** An OpenID Connect provider on 127.0.0.1, whose sign-in page asks for a login and no password. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly people: People;
  readonly failures: readonly string[];
  /** The paths that were requested. */
  readonly requested: readonly string[];
  /** Changes what it responds with, by path. */
  readonly responses: Map<string, ChangeResponse>;
  /** Signs a token as the provider does. */
  sign(claims: object): Promise<string>;
  close(): Promise<void>;
}

/** Of all providers: to make one takes a tenth of a second. */
let signingKey: ReturnType<typeof makeSigningKey> | undefined;

const clientSecret = 'a client secret that is long enough';

/** The settings of a service at an address, for a provider. */
export const settingsFor = (url: string, issuer: string) => ({
  PORT: new URL(url).port,
  PUBLIC_URL: url,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'academic-structure',
  OIDC_CLIENT_SECRET: clientSecret,
});

/** What a provider or the registration of its client has otherwise. */
interface Peculiarities {
  readonly configuration?: Configuration;
  readonly client?: Partial<ClientMetadata>;
  /** Rejects HTTP Basic authentication, though its metadata name it. */
  readonly rejectsBasic?: boolean;
}

/** Starts a provider with one client: the service at `serviceUrl`. */
export async function startIdentityProvider(
  serviceUrl: string,
  { configuration = {}, client = {}, rejectsBasic = false }: Peculiarities = {},
): Promise<IdentityProvider> {
  const people: People = new Map([
    ['ada', { preferred_username: 'Ada', email: 'ada@example.edu', roles: ['editor'] }],
    ['vera', { preferred_username: 'Vera', email: 'vera@example.edu', roles: ['viewer'] }],
    ['ned', { preferred_username: 'Ned', roles: [] }],
  ]);
  const failures: string[] = [];
  const requested: string[] = [];
  const responses = new Map<string, ChangeResponse>();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  signingKey ??= makeSigningKey('RS256', 'key of the tests');
  const key = await signingKey;
  const provider = new Provider(issuer, {
    jwks: { keys: [key.privateJwk] },
    clients: [
      {
        client_id: 'academic-structure',
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [`${serviceUrl}/session/callback`],
        post_logout_redirect_uris: [`${serviceUrl}/console`],
        backchannel_logout_uri: `${serviceUrl}/session/back-channel-logout`,
        backchannel_logout_session_required: true,
        ...client,
      },
    ],
    cookies: { keys: ['a key of the tests'] },
    // Its own refuses addresses of this machine.
    fetch: (address, options) => fetch(address, { ...options, dispatcher: undefined } as RequestInit),
    claims: { openid: ['sub', 'roles'], profile: ['preferred_username'], email: ['email'] },
    ...configuration,
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      ...configuration.features,
    },
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  provider.on('server_error', (_context, error) => failures.push(String(error)));
  provider.on('backchannel.error', (_context, error) => failures.push(String(error)));
  const handle = provider.callback();
  server.on('request', async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer);
    requested.push(pathname);
    if (rejectsBasic && request.headers.authorization?.startsWith('Basic ')) {
      response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="provider"' });
      return response.end('{"error":"invalid_client"}');
    }
    const change = responses.get(pathname);
    if (change !== undefined) {
      const end = response.end.bind(response);
      response.end = ((body: Buffer | string) => {
        void Promise.resolve(change(JSON.parse(String(body)))).then((changed) => {
          const content = JSON.stringify(changed);
          response.setHeader('content-length', Buffer.byteLength(content));
          end(content);
        });
        return response;
      }) as typeof response.end;
    }
    if (!pathname.startsWith('/sign-in/')) return handle(request, response);
    const login = searchParams.get('login');
    if (login !== null) return provider.interactionFinished(request, response, { login: { accountId: login } });
    response.setHeader('content-type', 'text/html');
    return response.end('<form><label>Login <input name="login"></label><button>Go on</button></form>');
  });
  const started: IdentityProvider = {
    issuer,
    people,
    failures,
    requested,
    responses,
    sign: (claims) => key.sign(claims),
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  return started;
}

/** Sends a service a logout token of the provider with these claims; returns the status of the response. */
export async function logOut(url: string, provider: IdentityProvider, claims: object): Promise<number> {
  const now = Math.floor(Date.now() / 1_000);
  const token = await provider.sign({
    iss: provider.issuer,
    aud: 'academic-structure',
    iat: now,
    exp: now + 60,
    jti: randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    ...claims,
  });
  const body = new URLSearchParams({ logout_token: token });
  return (await fetch(`${url}/session/back-channel-logout`, { method: 'POST', body })).status;
}

/** A browser's cookies and redirects, without a browser. */
export class CookieJar {
  readonly #cookies: Map<string, string>;
  /** Cookies with their attributes, as they were set. */
  readonly #set = new Map<string, string>();

  constructor(copied?: CookieJar) {
    this.#cookies = new Map(copied === undefined ? [] : copied.#cookies);
  }

  /** One request, whose redirect is not followed. Cookies go to their host, whatever its port. */
  async get(address: string | URL, headers: Record<string, string> = {}, form?: URLSearchParams): Promise<Response> {
    return this.send(form === undefined ? 'GET' : 'POST', address, headers, form);
  }

  async send(
    method: string,
    address: string | URL,
    headers: Record<string, string>,
    body?: URLSearchParams,
  ): Promise<Response> {
    const cookie = Array.from(this.#cookies, (pair) => pair.join('=')).join('; ');
    const sent = body === undefined ? {} : { body };
    const response = await fetch(address, { method, redirect: 'manual', headers: { cookie, ...headers }, ...sent });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      this.#set.set(name, line.slice(name.length + 1));
      if (value === '' || attributes.some((each) => /expires=Thu, 01 Jan 1970/i.test(each))) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  /** Follows redirects until one leads to an address that `stop` accepts; returns that. */
  async follow(address: string | URL, stop: (next: URL) => boolean): Promise<URL> {
    let next = new URL(address);
    for (let step = 0; step < 15 && !stop(next); step += 1) {
      const response = await this.get(next);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${next} responded with ${response.status}: ${await response.text()}`);
      next = new URL(location, next);
    }
    return next;
  }

  get names(): string[] {
    return [...this.#cookies.keys()].filter((name) => name.startsWith('academic-structure-')).sort();
  }

  /** The value of a cookie with its attributes, as it was set. */
  cookie(name: string): string | undefined {
    return this.#cookies.has(name) ? this.#set.get(name) : undefined;
  }

  get session(): string | undefined {
    return this.#cookies.get('academic-structure-session');
  }
}
