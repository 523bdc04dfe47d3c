import type { IncomingMessage } from 'node:http';
import type { CookieOptions, Request, Response } from 'express';

/** Whose requests may have the session of a cookie as their credential: never `/v1` (`docs/contract.md` 3). */
const cookiePaths = /^\/(?:graphql|import|export|session)(?=[/?]|$)/;

/**
 * Whether a browser says that a request comes from a page of this service. `Origin` counts where there is no
 * `Sec-Fetch-Site`: in WebSockets, and on an address without TLS.
 */
export function isOwn({ headers: { origin, host, ...headers } }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  // No page of another origin can send a header of this name: it would need a preflight, which fails.
  if (origin === undefined) return headers['x-own-page'] !== undefined;
  return URL.canParse(origin) && new URL(origin).host === host;
}

const sessionName = 'academic-structure-session';
const flowName = 'academic-structure-sign-in';

type Write = (request: Request, response: Response, value: string) => void;

export interface Cookies {
  /** Makes the session in the cookie the `x-api-key` of a request without a credential, if it is one of our own pages. */
  readonly useSession: (request: IncomingMessage) => void;
  /** An empty value removes the cookie. */
  readonly writeSession: Write;
  readonly writeFlow: Write;
  readonly readFlow: (request: IncomingMessage) => string;
}

/** Longer than a session may be without use, which the service itself knows. */
const sessionMs = 7 * 86_400_000;
export const flowMs = 600_000;

interface CookieSettings {
  readonly PUBLIC_URL?: string | undefined;
  readonly TRUSTED_PROXY_HOPS: number;
}

/** With TLS, the name has the prefix `__Host-`: no other host, subdomains included, can then set the cookie. */
export function createCookies({ PUBLIC_URL, TRUSTED_PROXY_HOPS }: CookieSettings): Cookies {
  const isPublicSecure = PUBLIC_URL?.startsWith('https:') === true;
  const isSecure = ({ headers }: IncomingMessage): boolean => {
    const forwarded = TRUSTED_PROXY_HOPS > 0 ? headers['x-forwarded-proto'] : undefined;
    return isPublicSecure || String(forwarded).startsWith('https') || headers.origin?.startsWith('https:') === true;
  };

  const read = (request: IncomingMessage, name: string): string => {
    const cookies = new Map(
      request.headers.cookie?.split(';').map((pair): [string, string] => {
        const [key = '', value = ''] = pair.split('=', 2);
        return [key.trim(), value.trim()];
      }),
    );
    return cookies.get(`__Host-${name}`) ?? (isSecure(request) ? '' : (cookies.get(name) ?? ''));
  };

  const writer =
    (name: string, maxAge: number): Write =>
    (request, response, value) => {
      const secure = isSecure(request);
      const fullName = secure ? `__Host-${name}` : name;
      const options: CookieOptions = { httpOnly: true, sameSite: 'lax', path: '/', secure };
      if (value === '') response.clearCookie(fullName, options);
      else response.cookie(fullName, value, { ...options, maxAge, encode: String });
    };

  return {
    useSession: (request) => {
      const { url = '', headers } = request;
      if (headers.cookie === undefined || headers['x-api-key'] !== undefined || headers.authorization !== undefined) {
        return;
      }
      if (!cookiePaths.test(url) || !isOwn(request)) return;
      const session = read(request, sessionName);
      if (session !== '') headers['x-api-key'] = session;
    },
    writeSession: writer(sessionName, sessionMs),
    writeFlow: writer(flowName, flowMs),
    readFlow: (request) => read(request, flowName),
  };
}

const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac', 'CrOS', 'Linux'] as const;

/** Such as `Chrome on Windows`, for the list of one's sessions. */
export function browserOf(userAgent = ''): string {
  const [, browser] = browsers.find(([sign]) => userAgent.includes(`${sign}/`)) ?? [];
  const system = systems.find((sign) => userAgent.includes(sign));
  return [browser ?? 'A browser', ...(system === undefined ? [] : [system])].join(' on ');
}
