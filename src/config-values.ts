// The values that a variable may have.

import { parsedUrl } from '@service/errors';
import {
  addressParameters,
  hasKnownParameters,
  hasReservedCharacters,
  hasValidHosts,
  hasValidTarget,
  hasValidTransport,
  targets,
  withExplicitTls,
  withHostsInQuery,
} from '@service/postgres/address';
import { parse } from 'pg-connection-string';
import { z } from 'zod';
import { roles } from './validation/permissions.ts';
import { parseRoleMap } from './validation/role-map.ts';

export const visibleAscii = /^[\x21-\x7e]+$/;

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

export const trueUnlessFalse = z
  .enum(['true', 'false'])
  .default('true')
  .transform((value) => value === 'true');

export const address = (protocols: readonly string[], message: string) =>
  z.string().refine((value) => protocols.includes(parsedUrl(value)?.protocol ?? ''), {
    message,
    // Later refinements may rely on this being a URL.
    abort: true,
  });

const readableBy = (read: (value: string) => unknown) => (value: string) => {
  try {
    read(value);
    return true;
  } catch {
    return false;
  }
};

/** `pg` reads the certificates that an address names. */
const hasReadableFiles = readableBy((value) => parse(withExplicitTls(value)));

/** Addresses of Unix sockets have no host where a URL needs one; `pg` uses the host of the query string anyway. */
const withHost = (value: string): string => value.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?]|$)/, '$1localhost');

export const databaseAddress = z
  .string()
  .refine(readableBy(decodeURIComponent), 'must have every % of a name or password written as %25')
  .refine((value) => !hasReservedCharacters(value), {
    message: 'must have every /, ?, # and @ of a name or password written as %2F, %3F, %23 and %40',
    abort: true,
  })
  .transform((value) => withHost(withHostsInQuery(value)))
  .pipe(address(['postgres:', 'postgresql:'], 'must be an address such as postgresql://user:password@host:5432/name'))
  .refine(
    hasKnownParameters,
    `must have no other parameters than ${addressParameters.join(', ')}; the tables are in the schema public`,
  )
  .refine(hasValidHosts, 'must list its hosts as host1:port1,host2:port2, or with one port for all')
  .refine(hasValidTarget, `must have a target_session_attrs of ${targets.join(', ')}: the service writes`)
  .refine(
    hasValidTransport,
    'must have a channel_binding of disable, prefer or require, a gssencmode of disable or prefer (Node.js has no GSSAPI), and whole numbers for keepalives',
  )
  .refine(hasReadableFiles, 'must name files that can be read: sslrootcert, sslcert, sslkey');

/** Origins as browsers write them: a scheme, a host, and a port unless it is the scheme's own. */
export const origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every((origin) => parsedUrl(origin)?.origin === origin), {
    message: 'must be origins such as https://dashboards.example.org, with commas between them',
    abort: true,
  })
  .refine((list) => !list.some((origin) => origin.includes('*')), 'must name each origin: a * in it matches none');

/** The shortest key of HMAC with SHA-256 that cannot be guessed from a token (RFC 7518, 3.2). */
const tokenSecretBytesMin = 32;

export const tokenSecret = z
  .string()
  .refine(
    (secret) => Buffer.byteLength(secret) >= tokenSecretBytesMin,
    `must be at least ${tokenSecretBytesMin} bytes long: a shorter secret can be guessed from a token`,
  );

export const roleMap = z.string().transform((text, context) => {
  const map = parseRoleMap(text);
  if (map !== undefined) return map;
  context.addIssue(`must be pairs such as staff=editor,it-admins=admin, with the roles ${roles.join(', ')}`);
  return z.NEVER;
});

/** Checks the address of the service in browsers; its path is a prefix of all paths. */
export const publicAddress = z
  .string()
  .refine((value) => parsedUrl(value) !== undefined && /^https?:\/\/[^/?#@\\]+(?:\/[\w.~-]+)*\/?$/i.test(value), {
    message: 'must be an http or https address, with a plain path or without: https://host.example.edu/catalog',
    abort: true,
  })
  .transform((value) => new URL(value).href.replace(/\/$/, ''));
