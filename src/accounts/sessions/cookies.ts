import type { IncomingMessage } from 'node:http';
import { parsedUrl } from '@service/errors';
import { pathPrefixOf, withoutPrefix } from '@service/http/path-prefix';
import type { Request, Response } from 'express';
import { credentialOf, keyOfCookie } from '../authentication/authenticate.ts';

/** Paths where the session of a cookie counts as a credential: never `/v1` (`docs/contract.md` 3). */
const paths = /^\/(?:graphql|import|export|session)(?=[/?]|$)/;

const names = {
  session: 'academic-structure-session',
  signIn: 'academic-structure-sign-in-',
  /** The ID token of the session, by which the browser signs out at the provider. */
  signOut: 'sign-out-of-academic-structure',
} as const;

/** The cookie outlives the session; the service decides when the session ends. */
export const maxAgeMs = { session: 7 * 86_400_000, signIn: 3_600_000 } as const;
/** Sign-ins of one browser at a time, each with a cookie, and their bytes: more would make requests too large for servers. */
const signInsMax = 4;
const signInBytesMax = 4_000;

/**
 * Whether a browser says that a request comes from a page of this service. `Origin` counts where there is no
 * `Sec-Fetch-Site`: in WebSockets, and on an address without TLS.
 */
export function isOwn({ headers: { origin, host, ...headers } }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  // A GET without TLS has neither. No page of another origin can send this header: its preflight fails.
  if (origin === undefined) return headers['x-own-page'] !== undefined;
  return parsedUrl(origin)?.host === host;
}

export type Cookies = ReturnType<typeof createCookies>;

interface CookieSettings {
  readonly PUBLIC_URL?: string | undefined;
  readonly TRUSTED_PROXY_HOPS: number;
}

interface WrittenCookie {
  readonly maxAge: number;
  readonly securedName?: string;
  readonly sameSite?: 'strict';
  readonly path?: string;
}

/** Its path is not `/`, as `__Host-` requires. */
const securedSignOut = `__Secure-${names.signOut}`;

/**
 * Creates the cookies. Over TLS the prefix `__Host-` keeps all other hosts, subdomains included, from setting them.
 * Browsers then require the path `/`, so a service below a path has `__Secure-`: other services of the host must not
 * get the cookie.
 */
export function createCookies({ PUBLIC_URL, TRUSTED_PROXY_HOPS }: CookieSettings) {
  const prefix = pathPrefixOf(PUBLIC_URL);
  const path = prefix === '' ? '/' : prefix;
  const secured = prefix === '' ? '__Host-' : '__Secure-';
  const isSecure = ({ headers }: IncomingMessage): boolean => {
    const forwarded = TRUSTED_PROXY_HOPS > 0 ? String(headers['x-forwarded-proto']) : '';
    return [PUBLIC_URL, forwarded, headers.origin].some((address) => address?.startsWith('https'));
  };
  const read = (request: IncomingMessage, name: string, securedName = secured + name): string => {
    const given = cookiesOf(request);
    return given.get(securedName) ?? (isSecure(request) ? '' : (given.get(name) ?? ''));
  };
  /** An empty value removes the cookie. */
  const write = (
    request: Request,
    response: Response,
    name: string,
    value: string,
    { maxAge, securedName = secured + name, ...others }: WrittenCookie,
  ): void => {
    const secure = isSecure(request);
    const options = { httpOnly: true, sameSite: 'lax', path, secure, ...others } as const;
    const fullName = secure ? securedName : name;
    if (value === '') response.clearCookie(fullName, options);
    else response.cookie(fullName, value, { ...options, maxAge, encode: String });
  };
  const ofState = (state: string): string => names.signIn + state;
  return {
    /** Makes the session in the cookie the `x-api-key` of a request without a credential, if it is one of our own pages. */
    useSession: (request: IncomingMessage): void => {
      const { url = '', headers } = request;
      if (credentialOf(headers['x-api-key']?.toString(), headers.authorization) !== undefined) return;
      if (headers.cookie === undefined || !paths.test(withoutPrefix(url, prefix)) || !isOwn(request)) return;
      const session = read(request, names.session);
      if (session !== '') headers['x-api-key'] = keyOfCookie(session);
    },
    /** An empty value ends it. */
    writeSession: (request: Request, response: Response, session: string): void =>
      write(request, response, names.session, session, { maxAge: maxAgeMs.session }),
    /** Writes a cookie for this sign-in alone, so that none in another tab disturbs it; the oldest of too many go. */
    writeSignIn: (request: Request, response: Response, state: string, content: string): void => {
      const begun = [...cookiesOf(request)].filter(([name]) => signInName.test(name)).reverse();
      let bytes = content.length;
      for (const [index, [name, value]] of begun.entries()) {
        bytes += value.length;
        if (index < signInsMax && bytes <= signInBytesMax) continue;
        write(request, response, ofState(signInName.exec(name)?.groups?.['state'] ?? ''), '', { maxAge: 0 });
      }
      write(request, response, ofState(state), content, { maxAge: maxAgeMs.signIn });
    },
    /** The content of the cookie of a sign-in, which has come to its end. */
    takeSignIn: (request: Request, response: Response, state: string): string => {
      const content = stateForm.test(state) ? read(request, ofState(state)) : '';
      if (content !== '') write(request, response, ofState(state), '', { maxAge: 0 });
      return content;
    },
    /** An empty value removes it. It goes to the routes of sessions alone, as it is large. */
    writeSignOut: (request: Request, response: Response, content: string): void =>
      write(request, response, names.signOut, content, {
        maxAge: maxAgeMs.session,
        securedName: securedSignOut,
        sameSite: 'strict',
        path: `${prefix}/session`,
      }),
    readSignOut: (request: Request): string => read(request, names.signOut, securedSignOut),
  };
}

const stateForm = /^[\w-]{1,100}$/;
const signInName = /^(?:__Host-|__Secure-)?academic-structure-sign-in-(?<state>[\w-]{1,100})$/;

/** Reads cookies; the first of a name counts. Browsers send cookies of one path oldest first (RFC 6265, 5.4). */
function cookiesOf({ headers: { cookie = '' } }: IncomingMessage): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of cookie.split(';')) {
    const [name = '', value = ''] = pair.trim().split(/=(.*)/s);
    if (!found.has(name)) found.set(name, value);
  }
  return found;
}

/** Names of browsers, the specific ones first: all others contain `Safari`, and the first two `Chrome`. */
const browsers = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac', 'CrOS', 'Linux'];

/** Names the browser, such as `Chrome on Windows`, for the list of a user's sessions. */
export function browserOf(request: Request): string {
  const userAgent = request.get('user-agent') ?? '';
  const [, browser = 'A browser'] = Object.entries(browsers).find(([sign]) => userAgent.includes(`${sign}/`)) ?? [];
  const system = systems.find((sign) => userAgent.includes(sign));
  return system === undefined ? browser : `${browser} on ${system}`;
}
