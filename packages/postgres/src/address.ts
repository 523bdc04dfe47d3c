// Addresses with several hosts, as libpq has them: `postgresql://a:5432,b:5433/name?target_session_attrs=read-write`.
// `URL` rejects such a list before the path; it reads it in the query string, as libpq and `pg` do: `?host=a,b`.

import { parsedUrl } from '@service/errors';

/** libpq's others ask for a standby, where the service could not write. */
export const targets = ['any', 'read-write', 'primary'] as const;

type Target = (typeof targets)[number];

export interface HostList {
  /** An address for each host, in the order of the list. */
  readonly addresses: readonly string[];
  readonly target: Target;
  /** How long one host may take to respond. */
  readonly timeoutMs: number;
}

/** A host that takes longer would be too slow for requests as well. */
const defaultTimeoutMs = 1_000;

const targetParameter = 'target_session_attrs';
const tlsParameter = 'sslmode';
/** `pg` verifies the certificate and the name of the server with each of them. */
const asVerifyFull: readonly (string | null)[] = ['prefer', 'require', 'verify-ca'];

const listBeforePath = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@,]*,[^/?#@]*)(?=[/?#]|$)([^#]*)/i;
const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/;

/** Parameters of an address that have an effect, beside user, password, host, port and database. */
export const addressParameters = [
  ...['host', 'port', 'user', 'password', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'],
  ...['uselibpqcompat', 'require_auth', targetParameter, 'connect_timeout', 'application_name', 'options', 'pgbouncer'],
  ...['channel_binding', 'gssencmode', 'keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count'],
] as const;

/** Whether an address has no parameter that would be ignored. */
export function hasKnownParameters(address: string): boolean {
  const known: readonly string[] = addressParameters;
  return [...new URL(address).searchParams.keys()].every((name) => known.includes(name));
}

/**
 * Whether the text before the host has `/`, `?` or `#` as they are: an address ends its host there, and takes a part of
 * the password for a host, which is then looked up.
 */
export function hasReservedCharacters(address: string): boolean {
  return /^[^:]*:\/\/[^/?#]*[/?#].*@/s.test(address);
}

/** Moves a list of hosts into the query string; any other address stays as it is. */
export function withHostsInQuery(address: string): string {
  const [, beginning, list, rest = ''] = listBeforePath.exec(address) ?? [];
  if (beginning === undefined || list === undefined) return address;
  const moved = `${beginning}localhost${rest}`;
  // Hosts of the query string take precedence, as in libpq.
  if (/[?&]host=/.test(rest)) return moved;
  const places = list.split(',').map((place) => hostAndPort.exec(place) ?? []);
  const hosts = places.map(([, host = '']) => decodeURIComponent(host.replace(/^\[|\]$/g, '')));
  const ports = places.map(([, , port = '']) => port);
  const parameters = new URLSearchParams({ host: hosts.join(',') });
  if (ports.some((port) => port !== '')) parameters.set('port', ports.join(','));
  return `${moved}${rest.includes('?') ? '&' : '?'}${parameters}`;
}

/** Whether no host of a list is empty, and there is one port for all, or one for each. */
export function hasValidHosts(address: string): boolean {
  const { searchParams } = new URL(address);
  const [hosts, ports] = [listIn(searchParams, 'host'), listIn(searchParams, 'port')];
  const isPort = (port: string): boolean => /^\d{0,5}$/.test(port) && Number(port) <= 65_535;
  if (hosts.length > 1 && hosts.includes('')) return false;
  return ports.every(isPort) && (ports.length === 1 || ports.length === hosts.length);
}

/** Whether `target_session_attrs` of an address, if there, is one that libpq has. */
export function hasValidTarget(address: string): boolean {
  const { searchParams } = new URL(address);
  return !searchParams.has(targetParameter) || targetIn(searchParams) !== undefined;
}

/** Values of parameters that libpq has for how bytes travel; `gssencmode=require` could not be kept. */
const transport: Readonly<Record<string, RegExp>> = {
  channel_binding: /^(?:disable|prefer|require)$/,
  gssencmode: /^(?:disable|prefer)$/,
  keepalives: /^\d{1,9}$/,
  keepalives_idle: /^\d{1,6}$/,
  keepalives_interval: /^\d{1,9}$/,
  keepalives_count: /^\d{1,9}$/,
};

export function hasValidTransport(address: string): boolean {
  const { searchParams } = new URL(address);
  return Object.entries(transport).every(([name, values]) => {
    const value = searchParams.get(name);
    return value === null || values.test(value);
  });
}

/** What an address says of how bytes travel, for `pg`; probes between keep-alives are the system's. */
export function transportOf(address: string): {
  readonly keepAlive: boolean;
  readonly keepAliveInitialDelayMillis?: number;
  readonly enableChannelBinding: boolean;
} {
  const { searchParams } = new URL(address);
  const idleSeconds = Number(searchParams.get('keepalives_idle'));
  return {
    keepAlive: Number(searchParams.get('keepalives') ?? 1) !== 0,
    ...(idleSeconds > 0 && { keepAliveInitialDelayMillis: 1_000 * idleSeconds }),
    enableChannelBinding: ['prefer', 'require'].includes(searchParams.get('channel_binding') ?? ''),
  };
}

/** Returns `undefined` for an address of one host that demands no role. */
export function hostListOf(address: string): HostList | undefined {
  const given = parsedUrl(address);
  if (given === undefined) return undefined;
  const { searchParams } = given;
  const [hosts, ports] = [listIn(searchParams, 'host'), listIn(searchParams, 'port')];
  const target = targetIn(searchParams);
  if (hosts.length === 1 && target === undefined) return undefined;
  const addresses = hosts.map((host, index) => {
    const one = new URL(address);
    one.searchParams.delete(targetParameter);
    put(one, 'host', host);
    put(one, 'port', ports.length === 1 ? ports[0] : ports[index]);
    return one.href;
  });
  const timeoutMs = 1_000 * Number(searchParams.get('connect_timeout'));
  return { addresses, target: target ?? 'any', timeoutMs: timeoutMs > 0 ? timeoutMs : defaultTimeoutMs };
}

/** Says what `pg` does: for other names of it, it prints a warning. `uselibpqcompat` chooses libpq's weaker meanings. */
export function withExplicitTls(address: string): string {
  const url = new URL(address);
  const { searchParams } = url;
  if (searchParams.get('uselibpqcompat') === 'true' || !asVerifyFull.includes(searchParams.get(tlsParameter)))
    return address;
  searchParams.set(tlsParameter, 'verify-full');
  return url.href;
}

function listIn(parameters: URLSearchParams, name: string): string[] {
  return (parameters.get(name) ?? '').split(',');
}

function targetIn(parameters: URLSearchParams): Target | undefined {
  return targets.find((target) => target === parameters.get(targetParameter));
}

function put({ searchParams }: URL, name: string, value = ''): void {
  if (value === '') searchParams.delete(name);
  else searchParams.set(name, value);
}
