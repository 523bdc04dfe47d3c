import { queryJson } from '../database/connection/sql.ts';
import type { Database } from '../database/connection/types.ts';
import type { Caller } from './caller.ts';
import { isRole, permissionsOf } from './permissions.ts';

/**
 * What the database says of a key at one moment, by its own clock. How long that holds is counted on the monotonic clock
 * of this process, as `performance.now()` does: whatever the clocks on the wall say, a key ends at the same moment everywhere.
 */
export type KeyLookup =
  /** There is no such key, or it is revoked or expired. */
  | { readonly works: false; readonly goodUntil: number }
  | {
      readonly works: true;
      readonly keyId: number;
      readonly caller: Caller;
      /** When the key ends; `Infinity` when it does not. */
      readonly endsAt: number;
      /** When the key must be read again: at its end, or sooner. */
      readonly goodUntil: number;
    };

/**
 * A key with an end is read again after this long: by then the database's clock may have been set, or this machine may
 * have been suspended, which the monotonic clock does not count.
 */
const goodForMs = 10_000;

interface Row {
  readonly id: number;
  readonly readOnly: boolean;
  readonly name: string;
  readonly role: string;
  readonly disabled: boolean;
  readonly works: boolean;
  /** Milliseconds until the key ends; `null` for one without an end. */
  readonly endsInMs: number | null;
}

/** Once revoked is revoked, whatever the instant that was written, and whatever any clock says. */
const columns = `
  api_keys.id, api_keys.read_only AS "readOnly", users.name, users.role, users.disabled,
  revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()) AS works,
  CASE WHEN isfinite(expires_at) THEN extract(epoch FROM expires_at - clock_timestamp()) * 1000 END AS "endsInMs"
  FROM api_keys JOIN users ON users.id = api_keys.user_id`;

/** Reads the key with this hash. */
export async function readKey(db: Database, hash: Uint8Array): Promise<KeyLookup> {
  const began = performance.now();
  const rows = await queryJson<Row>(db, {
    name: 'key by hash',
    pipelined: true,
    text: `SELECT ${columns} WHERE api_keys.hash = $1`,
    values: [hash],
  });
  const [row] = rows;
  return row === undefined ? unknownKey : readingOf(row, began);
}

/** Reads keys by their identifiers; those that do not work, or are not there, are left out. */
export async function readKeys(db: Database, ids: readonly number[]): Promise<Extract<KeyLookup, { works: true }>[]> {
  const began = performance.now();
  const rows = await queryJson<Row>(db, {
    name: 'keys by id',
    pipelined: true,
    text: `SELECT ${columns} WHERE api_keys.id = ANY($1::int[])`,
    values: [ids],
  });
  return rows.map((row) => readingOf(row, began)).filter((reading) => reading.works);
}

const unknownKey: KeyLookup = { works: false, goodUntil: Number.POSITIVE_INFINITY };

/** Counted from before the statement was sent: a key ends too early by the time of a statement, never too late. */
function readingOf({ id, readOnly, name, role, disabled, works, endsInMs }: Row, began: number): KeyLookup {
  if (!works) return unknownKey;
  const endsAt = endsInMs === null ? Number.POSITIVE_INFINITY : began + endsInMs;
  return {
    works,
    keyId: id,
    caller: {
      name,
      active: !disabled,
      // A role that this version does not know, written by hand or by a newer one, allows nothing.
      permissions: permissionsOf(isRole(role) ? [role] : []),
      readOnly,
      keyId: id,
      expiresAt: null,
    },
    endsAt,
    goodUntil: endsInMs === null ? endsAt : Math.min(endsAt, began + goodForMs),
  };
}
