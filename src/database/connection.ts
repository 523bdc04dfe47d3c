import { type ConnectOptions, withConnection as connect } from '@service/postgres/connection';
import { poolerParameter } from '@service/postgres/options';
import type { Client } from 'pg';

export const connectionAdvice = 'Check DATABASE_URL.';

/** Outside the pool, for startup tasks; an abort closes it. Throws `StartupError` when there is no connection. */
export function withConnection<Result>(
  databaseUrl: string,
  work: (client: Client) => Promise<Result>,
  { signal }: Pick<ConnectOptions, 'signal'> = {},
): Promise<Result> {
  return connect(databaseUrl, work, { signal, advice: connectionAdvice });
}

interface DetectOptions {
  readonly signal?: AbortSignal | undefined;
  /** Gets the connection, if one is opened. */
  readonly inspect?: ((client: Client) => Promise<void>) | undefined;
}

/** A pooler's cancellation keys have other process IDs than PostgreSQL's backends. Throws `StartupError`. */
export async function detectPooler(databaseUrl: string, { signal, inspect }: DetectOptions = {}): Promise<string> {
  const address = new URL(databaseUrl);
  if (address.searchParams.has(poolerParameter)) return databaseUrl;
  address.searchParams.set(poolerParameter, 'true');
  // As if pooled until it is known: a setting would reach other clients of a pooler.
  const isDirect = await withConnection(
    address.href,
    async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await inspect?.(client);
      return rows[0]?.pid === Reflect.get(client, 'processID');
    },
    { signal },
  );
  return isDirect ? databaseUrl : address.href;
}
