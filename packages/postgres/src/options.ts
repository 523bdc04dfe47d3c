import type { ClientConfig } from 'pg';
import { transportOf, withExplicitTls } from './address.ts';

/** The parameter of an address that says whether a pooler in transaction mode is in between. */
export const poolerParameter = 'pgbouncer';

/** The parameter of an address that names its sessions, in `pg_stat_activity` and in PostgreSQL's log. */
const nameParameter = 'application_name';
/** The timeout of work that can wait: the startup and the command line. */
export const connectMs = 10_000;
/** Firewalls and load balancers drop connections that are idle for minutes. */
const keepAliveMs = 30_000;

export interface ClientOptions extends ClientConfig {
  /** Settings of sessions or, behind a pooler, of transactions; such as `lock_timeout = 500`. */
  readonly settings?: readonly string[];
  /** `application_name` of the address. */
  readonly sessionName?: string;
}

interface ConnectionOptions extends Omit<ClientOptions, 'connectionString' | 'application_name' | 'sessionName'> {
  /** Follows the name that the address gives to its sessions. */
  readonly purpose?: string;
}

/** The address with a name of its sessions, unless it has one. */
export function withSessionName(url: string, name: string): string {
  const address = new URL(url);
  if (address.searchParams.has(nameParameter)) return url;
  address.searchParams.set(nameParameter, name);
  return address.href;
}

/** The parameters of the address take precedence. */
export function connectionOptions(url: string, { purpose, ...options }: ConnectionOptions = {}): ClientOptions {
  // Leaves out the name, which depends on the purpose: connections of the same address share their failover.
  const { address, sessionName } = withoutSessionName(withExplicitTls(url));
  return {
    connectionTimeoutMillis: connectMs,
    keepAliveInitialDelayMillis: keepAliveMs,
    ...transportOf(address),
    ...options,
    connectionString: address,
    ...(sessionName !== undefined && { sessionName }),
    application_name: [sessionName, purpose && `(${purpose})`].filter(Boolean).join(' '),
  };
}

function withoutSessionName(url: string): { readonly address: string; readonly sessionName?: string } {
  const address = new URL(url);
  const sessionName = address.searchParams.get(nameParameter);
  if (sessionName === null) return { address: url };
  address.searchParams.delete(nameParameter);
  return { address: address.href, sessionName };
}

/** Whether a pooler is in between: in transaction mode, session settings and advisory locks end with a transaction. */
export function isPooled(databaseUrl: string): boolean {
  return new URL(databaseUrl).searchParams.get(poolerParameter) === 'true';
}
