import { StartupError } from '@service/errors';
import type { Client, Pool } from 'pg';

/** The oldest version of PostgreSQL that gets security fixes. */
const oldestVersion = 15;
/** The newest minor version with security fixes at this release, for each major one. */
const secureMinors: Readonly<Record<number, number>> = { 15: 20, 16: 15, 17: 12, 18: 6 };

/** A server as it describes itself: `number` is its version as a number, `encoding` that of the database. */
export interface ServerSettings {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
}

export async function readServerSettings(client: Client | Pool): Promise<ServerSettings> {
  const { rows } = await client.query<ServerSettings>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
      current_setting('server_encoding') AS encoding`,
  );
  return rows[0] ?? { version: 'unknown', number: 0, encoding: 'unknown' };
}

/** Why a database is rejected, and what helps; `undefined` when it is not. */
export function unmetRequirement({ version, number, encoding }: ServerSettings): string | undefined {
  if (number < oldestVersion * 10_000) {
    return `PostgreSQL ${version} is older than ${oldestVersion}: use ${oldestVersion} or newer`;
  }
  if (encoding === 'UTF8') return undefined;
  return `the encoding of the database is ${encoding}, which cannot store every text: create it with ENCODING 'UTF8' TEMPLATE template0`;
}

/** The problem of an accepted server, and what helps; `undefined` when it is up to date. */
export function missingFixes({ version, number }: ServerSettings, remedy = 'update it'): string | undefined {
  const major = Math.floor(number / 10_000);
  const minor = secureMinors[major];
  if (minor === undefined || number % 10_000 >= minor) return undefined;
  return `PostgreSQL ${version} lacks the security fixes of ${major}.${minor}: ${remedy}`;
}

/** Throws `StartupError` when a database is rejected. */
export async function requireServer(client: Client): Promise<void> {
  const unmet = unmetRequirement(await readServerSettings(client));
  if (unmet !== undefined) throw new StartupError(`Unsupported database: ${unmet}.`);
}
