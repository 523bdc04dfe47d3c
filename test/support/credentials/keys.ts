import { displayPrefixOf, hashApiKey } from '../../../src/accounts/keys/api-key.ts';
import { makeApiKey } from '../../../src/validation/api-key-form.ts';
import type { Role } from '../../../src/validation/permissions.ts';
import type { TestDatabase } from '../database.ts';

export interface KeyFields {
  readonly user?: string;
  readonly role?: Role;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

/** Inserts an API key directly into the database, with its user if there is none of that name. */
export async function makeKey(
  database: TestDatabase,
  { role = 'viewer', user = `a ${role}`, disabled = false, readOnly = false, expiresAt, revokedAt }: KeyFields = {},
): Promise<string> {
  const key = makeApiKey();
  await database.query(
    `WITH owner AS (
       INSERT INTO users (name, role, disabled) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET role = excluded.role, disabled = excluded.disabled RETURNING id
     )
     INSERT INTO api_keys (user_id, hash, prefix, read_only, expires_at, revoked_at)
     SELECT id, $4, $5, $6, $7, $8 FROM owner`,
    [user, role, disabled, hashApiKey(key), displayPrefixOf(key), readOnly, expiresAt ?? null, revokedAt ?? null],
  );
  return key;
}

/** The id of the user of a name. */
export async function userIdOf(database: TestDatabase, name: string): Promise<number> {
  const [row] = await database.query('SELECT id FROM users WHERE name = $1', [name]);
  return Number(row?.['id']);
}
