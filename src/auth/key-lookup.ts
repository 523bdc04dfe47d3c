import { queryJson } from '@service/postgres/sql';
import type { Database } from '../database/connection/types.ts';
import type { Caller } from './caller.ts';
import { isRole, permissionsOf } from './permissions.ts';

/** Why a key is invalid: for the operator, never for the caller. */
export type KeyProblem = 'unknown' | 'revoked' | 'expired';

/** A key expires by the monotonic clock: at the same moment on every instance, whatever its wall clock. */
export type KeyLookup =
  | { readonly isValid: false; readonly problem: KeyProblem; readonly recheckAt: number }
  | {
      readonly isValid: true;
      readonly keyId: number;
      readonly caller: Caller;
      /** By `performance.now()`; `Infinity` for never. */
      readonly expiresAtMs: number;
      /** When the key must be read again: at its expiry, or sooner. */
      readonly recheckAt: number;
    };

/** Keys with an expiry are read again: the database's clock may be set, or a suspend stop the monotonic one. */
const recheckAfterMs = 10_000;

export type ValidKey = Extract<KeyLookup, { isValid: true }>;

interface Row {
  readonly id: number;
  readonly readOnly: boolean;
  readonly name: string;
  readonly role: string;
  readonly disabled: boolean;
  readonly problem: 'revoked' | 'expired' | null;
  readonly expiresInMs: number | null;
}

/** A revoked key stays revoked, whatever the time in `revoked_at`. */
const columns = `
  api_keys.id, api_keys.read_only AS "readOnly", users.name, users.role, users.disabled,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= clock_timestamp() THEN 'expired' END AS problem,
  CASE WHEN isfinite(expires_at) THEN extract(epoch FROM expires_at - clock_timestamp()) * 1000 END AS "expiresInMs"
  FROM api_keys JOIN users ON users.id = api_keys.user_id`;

export async function readKey(db: Database, hash: Uint8Array): Promise<KeyLookup> {
  const began = performance.now();
  const rows = await queryJson<Row>(db, {
    name: 'key by hash',
    pipelined: true,
    text: `SELECT ${columns} WHERE api_keys.hash = $1`,
    values: [hash],
  });
  const [row] = rows;
  return row === undefined ? invalidKey('unknown') : toKeyLookup(row, began);
}

export async function readKeys(db: Database, ids: readonly number[]): Promise<ValidKey[]> {
  const began = performance.now();
  const rows = await queryJson<Row>(db, {
    name: 'keys by id',
    pipelined: true,
    text: `SELECT ${columns} WHERE api_keys.id = ANY($1::int[])`,
    values: [ids],
  });
  return rows.map((row) => toKeyLookup(row, began)).filter((reading) => reading.isValid);
}

const invalidKey = (problem: KeyProblem): KeyLookup => ({
  isValid: false,
  problem,
  recheckAt: Number.POSITIVE_INFINITY,
});

/** Counted from before the statement was sent, so that a key never expires too late. */
function toKeyLookup({ id, readOnly, name, role, disabled, problem, expiresInMs }: Row, began: number): KeyLookup {
  if (problem !== null) return invalidKey(problem);
  const expiresAtMs = expiresInMs === null ? Number.POSITIVE_INFINITY : began + expiresInMs;
  return {
    isValid: true,
    keyId: id,
    caller: {
      name,
      active: !disabled,
      // An unknown role, from a newer version or written by hand, grants nothing.
      permissions: permissionsOf(isRole(role) ? [role] : []),
      readOnly,
      keyId: id,
      expiresAt: null,
    },
    expiresAtMs,
    recheckAt: expiresInMs === null ? expiresAtMs : Math.min(expiresAtMs, began + recheckAfterMs),
  };
}
