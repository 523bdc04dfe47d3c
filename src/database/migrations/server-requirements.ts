import type { Client } from 'pg';
import { StartupError } from '../../errors.ts';

/** The oldest version of PostgreSQL that has what the statements need (`docs/contract.md` 9). */
const oldestVersion = 14;

/** What a server says of itself: `number` is its version as a number, `encoding` that of the database. */
export interface ServerSettings {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
}

export async function readServerSettings(client: Client): Promise<ServerSettings> {
  const { rows } = await client.query<ServerSettings>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
      current_setting('server_encoding') AS encoding`,
  );
  return rows[0] ?? { version: 'unknown', number: 0, encoding: 'unknown' };
}

/** Why the service cannot work on a database, and what helps; `undefined` when it can. */
export function unmetRequirement({ version, number, encoding }: ServerSettings): string | undefined {
  if (number < oldestVersion * 10_000) {
    return `PostgreSQL ${version} is older than ${oldestVersion}: use ${oldestVersion} or newer`;
  }
  if (encoding === 'UTF8') return undefined;
  return `the encoding of the database is ${encoding}, which cannot store every text: create it with ENCODING 'UTF8' TEMPLATE template0`;
}

/** Throws `StartupError` unless the service can work on the database. */
export async function requireServer(client: Client): Promise<void> {
  const unmet = unmetRequirement(await readServerSettings(client));
  if (unmet !== undefined) throw new StartupError(`The database does not suit: ${unmet}.`);
}
