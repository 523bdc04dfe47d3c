import { withExplicitTls } from '@service/postgres/address';
import { parse } from 'pg-connection-string';

/** The parts of `DATABASE_URL` that the log may not contain: the address itself, its hosts and passwords. */
export function secretsOf(databaseUrl: string | undefined): readonly string[] {
  if (databaseUrl === undefined) return [];
  const { host, hostname, password } = new URL(databaseUrl);
  const parsed = parse(withExplicitTls(databaseUrl));
  // A directory of sockets is no address.
  const hosts = (parsed.host ?? '').split(',').filter((name) => !name.startsWith('/'));
  const secrets = [databaseUrl, password, parsed.password, host, hostname, ...hosts];
  return secrets.flatMap((secret) => secret || []);
}
