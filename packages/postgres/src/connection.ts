import { StartupError } from '@service/errors';
import type { Client as PlainClient } from 'pg';
import { Client } from './client.ts';
import { connectionReason } from './errors.ts';
import { connectionOptions } from './options.ts';

export interface ConnectOptions {
  /** An abort closes the connection. */
  readonly signal?: AbortSignal | undefined;
  /** A sentence that follows the reason why there is no connection, such as which setting to check. */
  readonly advice?: string | undefined;
}

/** Outside the pool, for startup tasks. Throws `StartupError` when there is no connection. */
export async function withConnection<Result>(
  databaseUrl: string,
  work: (client: PlainClient) => Promise<Result>,
  { signal, advice }: ConnectOptions = {},
): Promise<Result> {
  const client = new Client(connectionOptions(databaseUrl));
  const cut = (): void => void client.connection.stream.destroy();
  signal?.addEventListener('abort', cut, { once: true });
  try {
    await client.connect().catch((cause: unknown) => {
      const message = `The database cannot be reached: ${connectionReason(cause)}.`;
      throw new StartupError(advice === undefined ? message : `${message} ${advice}`, { cause });
    });
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', cut);
    await client.end().catch(() => undefined);
  }
}
