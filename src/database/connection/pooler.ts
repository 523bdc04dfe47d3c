import { withConnection } from './single-connection.ts';

/** The parameter of an address by which Prisma's users say it, too. */
const parameter = 'pgbouncer';

/**
 * Whether there is a pooler at an address, which may give each transaction another session of PostgreSQL: then neither
 * settings nor prepared statements nor locks last beyond a transaction.
 */
export function isPooled(databaseUrl: string): boolean {
  return new URL(databaseUrl).searchParams.get(parameter) === 'true';
}

/**
 * Finds out whether there is a pooler at an address, unless the address says so itself. A pooler gives its clients a key
 * of its own to cancel statements with, which names another process than PostgreSQL's.
 *
 * @returns the address, which says so now.
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
