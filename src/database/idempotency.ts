import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { Transaction } from './client.ts';
import { fingerprintOf } from './fingerprint.ts';
import { execute, select } from './select.ts';

/** A request that is carried out once, however often it is sent (`contract.md` 8). */
export interface Claim {
  /** Of the user, the endpoint and the key. */
  readonly id: Buffer<ArrayBuffer>;
  /** Of the body. */
  readonly fingerprint: Buffer<ArrayBuffer>;
}

/** What makes a request the same as another. */
export interface Claimed {
  readonly user: string;
  readonly endpoint: string;
  readonly key: string;
  /** Any JSON; compared by value. */
  readonly body: unknown;
}

/** Makes the claim of a request: its key means something only to its user and at its endpoint. */
export function claimOf({ user, endpoint, key, body }: Claimed): Claim {
  const id = createHash('sha256')
    .update(JSON.stringify([user, endpoint, key]))
    .digest();
  return { id, fingerprint: fingerprintOf(body) };
}

interface Found {
  /** Whether nobody else is carrying the request out. */
  readonly held: boolean;
  /** Whether the record is of the same body; `null` when there is no record. */
  readonly same: boolean | null;
  readonly outcome: string | null;
}

/**
 * Claims a request until the transaction ends, whichever way it does, on all instances, and looks whether it has
 * been carried out before. One statement for both: should the first request be committed between its beginning and
 * the lock, its record is not seen here, and `remember` refuses.
 *
 * @returns the outcome that is to be replayed, or `undefined` when the request is to be carried out now.
 * @throws ServiceError `CONFLICT`: while the first is still running, when the key was used with another body
 *   (status 422), or when the outcome was not kept.
 */
export async function recall(tx: Transaction, { id, fingerprint }: Claim): Promise<string | undefined> {
  const [found] = await select<Found>(tx, {
    name: 'recall',
    text: `SELECT pg_try_advisory_xact_lock($1::bigint) AS held, record.fingerprint = $3::bytea AS same, record.outcome
      FROM (SELECT 1) AS always LEFT JOIN idempotency_records AS record
        ON record.id = $2::bytea AND record.created_at > now() - interval '24 hours'`,
    values: [String(id.readBigInt64BE()), id, fingerprint],
  });
  if (found?.held !== true) throw stillRunning();
  if (found.same === null) return undefined;
  if (!found.same) {
    throw new ServiceError('CONFLICT', 'This Idempotency-Key was used before with another body.', { status: 422 });
  }
  if (found.outcome === null) {
    throw new ServiceError(
      'CONFLICT',
      'This request was carried out before; its answer held a secret, which is shown only once.',
    );
  }
  return found.outcome;
}

/**
 * Records the outcome of a request in the transaction that carried it out: both are kept, or neither.
 *
 * @param outcome `null` when it holds a secret.
 * @throws ServiceError `CONFLICT` when the request turns out to have been carried out by someone else.
 */
export async function remember(tx: Transaction, { id, fingerprint }: Claim, outcome: string | null): Promise<void> {
  const recorded = await execute(tx, {
    name: 'remember',
    text: `INSERT INTO idempotency_records AS record (id, fingerprint, outcome) VALUES ($1::bytea, $2::bytea, $3)
      ON CONFLICT (id) DO UPDATE
        SET fingerprint = excluded.fingerprint, outcome = excluded.outcome, created_at = excluded.created_at
        WHERE record.created_at <= now() - interval '24 hours'`,
    values: [id, fingerprint, outcome],
  });
  if (recorded === 0) throw stillRunning();
}

function stillRunning(): ServiceError {
  return new ServiceError('CONFLICT', 'The first request with this Idempotency-Key is still running.');
}

/** Removes the oldest of the records that are no longer replayed; says how many. */
export function removeExpired(db: Transaction, most: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_records WHERE id IN (
      SELECT id FROM idempotency_records WHERE created_at <= now() - interval '24 hours'
      ORDER BY created_at LIMIT ${most} FOR UPDATE SKIP LOCKED
    )`;
}
