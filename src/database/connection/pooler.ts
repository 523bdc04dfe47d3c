import { withConnection } from './single-connection.ts';

/** The URL parameter that Prisma uses for this, too. */
const parameter = 'pgbouncer';

/**
 * Whether an address is that of a pooler such as PgBouncer in transaction mode: then session settings, prepared
 * statements and advisory locks do not outlast a transaction.
 */
export function isPooled(databaseUrl: string): boolean {
  return new URL(databaseUrl).searchParams.get(parameter) === 'true';
}

/**
 * Detects a pooler (PgBouncer), unless the address says so itself: a pooler gives clients a cancellation key of its
 * own, whose process ID is not that of the PostgreSQL backend.
 *
 * @returns the address, with `pgbouncer=true` if a pooler was found.
 * @throws StartupError when the database cannot be reached.
 */
export async function detectPooler(databaseUrl: string, signal?: AbortSignal): Promise<string> {
  const address = new URL(databaseUrl);
  if (address.searchParams.has(parameter)) return databaseUrl;
  const isDirect = await withConnection(
    databaseUrl,
    async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return rows[0]?.pid === Reflect.get(client, 'processID');
    },
    { signal },
  );
  if (isDirect) return databaseUrl;
  address.searchParams.set(parameter, 'true');
  return address.href;
}
