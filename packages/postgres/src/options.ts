import type { ClientConfig } from 'pg';
import { withExplicitTls } from './address.ts';

/** The parameter of an address that says whether a pooler in transaction mode is in between. */
export const poolerParameter = 'pgbouncer';

/** Names the service's sessions in `pg_stat_activity` and in PostgreSQL's log. */
const applicationName = 'academic-structure-service';
/** For work that can wait: the startup and the command line. */
export const connectMs = 10_000;
/** Firewalls and load balancers drop connections that are idle for minutes. */
const keepAliveMs = 30_000;

export interface ClientOptions extends ClientConfig {
  /** Of its sessions or, behind a pooler, of its transactions; such as `lock_timeout = 500`. */
  readonly settings?: readonly string[];
}

interface ConnectionOptions extends Omit<ClientOptions, 'connectionString' | 'application_name'> {
  readonly purpose?: string;
}

/** The parameters of the address take precedence. */
export function connectionOptions(url: string, { purpose, ...options }: ConnectionOptions = {}): ClientOptions {
  return {
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    ...options,
    connectionString: withExplicitTls(url),
    application_name: purpose === undefined ? applicationName : `${applicationName} (${purpose})`,
  };
}

/** In transaction mode, session settings, prepared statements and advisory locks do not outlast a transaction. */
export function isPooled(databaseUrl: string): boolean {
  return new URL(databaseUrl).searchParams.get(poolerParameter) === 'true';
}
