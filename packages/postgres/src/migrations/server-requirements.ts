import { StartupError } from '@service/errors';
import type { Client, Pool } from 'pg';

/** The oldest version of PostgreSQL that gets security fixes. */
const oldestVersion = 15;
/** The newest minor version with security fixes at this release, for each major one. */
const secureMinors: Readonly<Record<number, number>> = { 15: 20, 16: 15, 17: 12, 18: 6 };

/** Settings as the server reports them: `number` is its version, `encoding` the database's. */
export interface ServerSettings {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  /** Schema in which the role creates tables; `null` if it may use none. */
  readonly schema: string | null;
  /** Extensions that are there, in a schema that is not searched. */
  readonly hidden: readonly { readonly name: string; readonly schema: string }[];
}

/** @param extensions those that the migrations use. */
export async function readServerSettings(
  client: Client | Pool,
  extensions: readonly string[] = [],
): Promise<ServerSettings> {
  const { rows } = await client.query<ServerSettings>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
      current_setting('server_encoding') AS encoding, current_schema() AS schema,
      (SELECT coalesce(json_agg(json_build_object('name', extname, 'schema', nspname) ORDER BY extname), '[]')
       FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
       WHERE extname = ANY ($1::text[]) AND nspname <> ALL (current_schemas(true))) AS hidden`,
    [extensions],
  );
  return rows[0] ?? { version: 'unknown', number: 0, encoding: 'unknown', schema: null, hidden: [] };
}

/** Prisma names it in its statements. */
const ownSchema = 'public';

/** Why a database is rejected, and what helps; `undefined` when it is not. */
export function unmetRequirement({ version, number, encoding, schema, hidden }: ServerSettings): string | undefined {
  if (number < oldestVersion * 10_000) {
    return `PostgreSQL ${version} is older than ${oldestVersion}: use ${oldestVersion} or newer`;
  }
  if (encoding !== 'UTF8')
    return `the encoding of the database is ${encoding}, which cannot store every text: create it with ENCODING 'UTF8' TEMPLATE template0`;
  if (schema !== null && schema !== ownSchema)
    return `the search_path begins with ${schema}, and the tables belong into ${ownSchema}: ALTER ROLE … SET search_path = ${ownSchema}`;
  const [extension] = hidden;
  if (extension === undefined) return undefined;
  return `the extension ${extension.name} is in the schema ${extension.schema}, which is not in the search_path: ALTER ROLE … SET search_path = ${ownSchema}, ${extension.schema}`;
}

/** The problem of an accepted server, and what helps; `undefined` when it is up to date. */
export function missingFixes({ version, number }: ServerSettings, remedy = 'update it'): string | undefined {
  const major = Math.floor(number / 10_000);
  const minor = secureMinors[major];
  if (minor === undefined || number % 10_000 >= minor) return undefined;
  return `PostgreSQL ${version} lacks the security fixes of ${major}.${minor}: ${remedy}`;
}

/** Throws `StartupError` when a database is rejected. */
export async function requireServer(client: Client, extensions?: readonly string[]): Promise<void> {
  const unmet = unmetRequirement(await readServerSettings(client, extensions));
  if (unmet !== undefined) throw new StartupError(`Unsupported database: ${unmet}.`);
}
