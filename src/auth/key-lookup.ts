import { queryJson } from '../database/connection/sql.ts';
import type { Database } from '../database/connection/types.ts';
import type { Caller } from './caller.ts';
import { isRole, permissionsOf } from './permissions.ts';

/** A key expires by the monotonic clock: at the same moment on every instance, whatever its wall clock. */
export type KeyLookup =
  | { readonly isValid: false; readonly recheckAt: number }
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

interface Row {
  readonly id: number;
  readonly readOnly: boolean;
  readonly name: string;
  readonly role: string;
  readonly disabled: boolean;
  readonly isValid: boolean;
  readonly expiresInMs: number | null;
}

/** A revoked key stays revoked, whatever the time in `revoked_at`. */
const columns = `
  api_keys.id, api_keys.read_only AS "readOnly", users.name, users.role, users.disabled,
  revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()) AS "isValid",
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
  return row === undefined ? unknownKey : toKeyLookup(row, began);
}

export async function readKeys(db: Database, ids: readonly number[]): Promise<Extract<KeyLookup, { isValid: true }>[]> {
  const began = performance.now();
  const rows = await queryJson<Row>(db, {
    name: 'keys by id',
    pipelined: true,
    text: `SELECT ${columns} WHERE api_keys.id = ANY($1::int[])`,
    values: [ids],
  });
  return rows.map((row) => toKeyLookup(row, began)).filter((reading) => reading.isValid);
}

const unknownKey: KeyLookup = { isValid: false, recheckAt: Number.POSITIVE_INFINITY };

/** Counted from before the statement was sent, so that a key never expires too late. */
function toKeyLookup({ id, readOnly, name, role, disabled, isValid, expiresInMs }: Row, began: number): KeyLookup {
  if (!isValid) return unknownKey;
  const expiresAtMs = expiresInMs === null ? Number.POSITIVE_INFINITY : began + expiresInMs;
  return {
    isValid,
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
