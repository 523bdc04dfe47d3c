import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { credentialOf } from '../authentication/authenticate.ts';

/** Whose requests may have the session of a cookie as their credential: never `/v1` (`docs/contract.md` 3). */
const paths = /^\/(?:graphql|import|export|session)(?=[/?]|$)/;

const names = { session: 'academic-structure-session', signIn: 'academic-structure-sign-in' } as const;
type Name = keyof typeof names;

/** A session's is longer than it may be without use, which the service itself knows. */
export const maxAgeMs: Readonly<Record<Name, number>> = { session: 7 * 86_400_000, signIn: 600_000 };

/**
 * Whether a browser says that a request comes from a page of this service. `Origin` counts where there is no
 * `Sec-Fetch-Site`: in WebSockets, and on an address without TLS.
 */
export function isOwn({ headers: { origin, host, ...headers } }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  // A GET without TLS has neither. No page of another origin can send this header: its preflight fails.
  if (origin === undefined) return headers['x-own-page'] !== undefined;
  return URL.canParse(origin) && new URL(origin).host === host;
}

export type Cookies = ReturnType<typeof createCookies>;

interface CookieSettings {
  readonly PUBLIC_URL?: string | undefined;
  readonly TRUSTED_PROXY_HOPS: number;
}

/** With TLS, the name has the prefix `__Host-`: no other host, subdomains included, can then set the cookie. */
export function createCookies({ PUBLIC_URL, TRUSTED_PROXY_HOPS }: CookieSettings) {
  const isSecure = ({ headers }: IncomingMessage): boolean => {
    const forwarded = TRUSTED_PROXY_HOPS > 0 ? String(headers['x-forwarded-proto']) : '';
    return [PUBLIC_URL, forwarded, headers.origin].some((address) => address?.startsWith('https'));
  };
  const read = (request: IncomingMessage, name: Name): string => {
    const cookie = (fullName: string) =>
      new RegExp(`(?:^|;) *${fullName}=([^; ]*)`).exec(request.headers.cookie ?? '')?.[1];
    return cookie(`__Host-${names[name]}`) ?? (isSecure(request) ? '' : (cookie(names[name]) ?? ''));
  };
  return {
    /** Makes the session in the cookie the `x-api-key` of a request without a credential, if it is one of our own pages. */
    useSession: (request: IncomingMessage): void => {
      const { url = '', headers } = request;
      if (credentialOf(headers['x-api-key']?.toString(), headers.authorization) !== undefined) return;
      if (headers.cookie === undefined || !paths.test(url) || !isOwn(request)) return;
      const session = read(request, 'session');
      if (session !== '') headers['x-api-key'] = session;
    },
    read,
    /** An empty value removes the cookie. */
    write: (request: Request, response: Response, name: Name, value: string): void => {
      const secure = isSecure(request);
      const fullName = secure ? `__Host-${names[name]}` : names[name];
      const options = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
      if (value === '') response.clearCookie(fullName, options);
      else response.cookie(fullName, value, { ...options, maxAge: maxAgeMs[name], encode: String });
    },
  };
}

/** The last is in the names of all others, and `Chrome` in those of the first two. */
const browsers = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac', 'CrOS', 'Linux'];

/** Such as `Chrome on Windows`, for the list of one's sessions. */
export function browserOf(request: Request): string {
  const userAgent = request.get('user-agent') ?? '';
  const [, browser = 'A browser'] = Object.entries(browsers).find(([sign]) => userAgent.includes(`${sign}/`)) ?? [];
  const system = systems.find((sign) => userAgent.includes(sign));
  return system === undefined ? browser : `${browser} on ${system}`;
}
