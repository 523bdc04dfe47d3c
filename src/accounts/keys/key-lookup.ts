import { setTimeout as delay } from 'node:timers/promises';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import DataLoader from 'dataloader';
import type { Database } from '../../database/types.ts';
import type { Caller } from '../../operations/caller.ts';
import { rightsOf, roleOf } from '../../validation/permissions.ts';
import { tokenIssuer } from '../jwt/tokens.ts';

/** Why a key is invalid: for the operator, never for the caller. */
export type KeyProblem = 'unknown' | 'revoked' | 'expired' | 'misplaced';

/**
 * Result of a lookup. The key expires by the monotonic clock: at one moment on all instances, whatever their wall
 * clocks say.
 */
export type KeyLookup =
  | { readonly isValid: false; readonly problem: KeyProblem; readonly recheckAt: number }
  | {
      readonly isValid: true;
      readonly keyId: number;
      /** Whether it may be in a cookie. */
      readonly isSession: boolean;
      readonly caller: Caller;
      /** Time of expiry (`performance.now()`); `Infinity` for never. */
      readonly expiresAtMs: number;
      /** Time to read the key again: its expiry, or sooner. */
      readonly recheckAt: number;
    };

/** Keys with an expiry are read again: the database's clock may be set, or a suspend stop the monotonic one. */
const recheckAfterMs = 10_000;

export type ValidKey = Extract<KeyLookup, { isValid: true }>;

interface Row {
  readonly id: number;
  readonly userId: number;
  readonly readOnly: boolean;
  readonly isSession: boolean;
  readonly name: string;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly role: string;
  readonly disabled: boolean;
  readonly problem: 'revoked' | 'expired' | null;
  readonly expiresInMs: number | null;
}

const end = 'least(expires_at, sign_in_until)';

/**
 * Columns of a lookup. A revoked key stays revoked at any time of `revoked_at`. A key made with a token is disabled
 * with it.
 */
const columns = `
  api_keys.id, users.id AS "userId", api_keys.read_only AS "readOnly", kind = 'session' AS "isSession", users.name, users.issuer, users.subject,
  users.role,
  users.disabled OR coalesce(named.disabled, false) AS disabled,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN ${end} <= clock_timestamp() THEN 'expired' END AS problem,
  CASE WHEN isfinite(${end}) THEN extract(epoch FROM ${end} - clock_timestamp()) * 1000 END AS "expiresInMs"
  FROM api_keys JOIN users ON users.id = api_keys.user_id
    LEFT JOIN users AS named ON (source = 'token' OR users.issuer = '${tokenIssuer}')
      AND named.issuer IS NULL AND named.name = users.subject`;

/** Looks up a key by its SHA-256, in base64. */
export type ReadKey = (hash: string) => Promise<KeyLookup>;

/** A lookup takes less; on a slower database, lookups fail by their own timeouts. */
const batchWaitMs = 50;

/**
 * Batches lookups with DataLoader: all that arrive while a statement is in flight share the next one. A flood of
 * made-up keys costs the database a few statements, and no valid key is rejected.
 */
export function createKeyReader(db: Database): ReadKey {
  let inFlight: Promise<unknown> = Promise.resolve();
  const keys = new DataLoader(
    (hashes: readonly string[]) => {
      const reading = readKeysByHash(db, hashes);
      inFlight = reading.catch(() => undefined);
      return reading;
    },
    {
      cache: false,
      batchScheduleFn: (dispatch) =>
        void Promise.race([inFlight, delay(batchWaitMs, undefined, { ref: false })]).then(dispatch),
    },
  );
  return (hash) => keys.load(hash);
}

async function readKeysByHash(db: Database, hashes: readonly string[]): Promise<KeyLookup[]> {
  const began = performance.now();
  const rows = await queryJson<Row & { readonly hash: string }>(db, {
    name: 'keys by hash',
    pipelined: 'alone',
    text: `SELECT encode(api_keys.hash, 'base64') AS hash, ${columns} WHERE api_keys.hash = ANY($1::bytea[])`,
    values: [hashes.map((hash) => Buffer.from(hash, 'base64'))],
  });
  const byHash = new Map(rows.map((row) => [row.hash, toKeyLookup(row, began)]));
  return hashes.map((hash) => byHash.get(hash) ?? invalidKey('unknown'));
}

/** The valid ones among keys, by id. */
export async function readKeys(db: AnyTransaction, ids: readonly number[]): Promise<ValidKey[]> {
  const began = performance.now();
  const rows = await queryJson<Row>(db, {
    name: 'keys by id',
    pipelined: 'alone',
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
function toKeyLookup(
  { id, userId, readOnly, isSession, name, issuer, subject, role, disabled, problem, expiresInMs }: Row,
  began: number,
): KeyLookup {
  if (problem !== null) return invalidKey(problem);
  const expiresAtMs = expiresInMs === null ? Number.POSITIVE_INFINITY : began + expiresInMs;
  return {
    isValid: true,
    keyId: id,
    isSession,
    caller: {
      userId,
      ...(issuer !== null && subject !== null && { identity: { issuer, subject } }),
      name,
      active: !disabled,
      ...rightsOf(roleOf(role)),
      readOnly,
      keyId: id,
      expiresAt: null,
    },
    expiresAtMs,
    recheckAt: expiresInMs === null ? expiresAtMs : Math.min(expiresAtMs, began + recheckAfterMs),
  };
}
