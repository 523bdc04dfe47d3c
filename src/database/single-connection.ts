import { StartupError } from '@service/errors';
import { Client } from '@service/postgres/client';
import { driverErrorReason } from '@service/postgres/errors';
import { connectionOptions } from '@service/postgres/options';
import type { Client as PlainClient } from 'pg';

/** Outside the pool, for startup tasks; an abort closes it. Throws `StartupError` when there is no connection. */
export async function withConnection<Result>(
  databaseUrl: string,
  work: (client: PlainClient) => Promise<Result>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  const client = new Client(connectionOptions(databaseUrl));
  // A connection that breaks fails the statement in flight, which reports it.
  client.on('error', () => undefined);
  const cut = (): void => void client.connection.stream.destroy();
  signal?.addEventListener('abort', cut, { once: true });
  try {
    await client.connect().catch((cause: unknown) => {
      throw new StartupError(`The database cannot be reached: ${driverErrorReason(cause)}. Check DATABASE_URL.`, {
        cause,
      });
    });
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', cut);
    await client.end().catch(() => undefined);
  }
}
