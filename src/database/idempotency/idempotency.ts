import { hash } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import { batchedStatement } from '../connection/batched-statement.ts';
import type { Transaction } from '../connection/types.ts';
import { fingerprintOf } from './fingerprint.ts';

/** A request that is carried out once, however often it is sent (`docs/contract.md` 8). */
export interface Claim {
  /** Of the user, the endpoint and the key: a SHA-256, in hex. */
  readonly id: string;
  /** Of the body, likewise. */
  readonly fingerprint: string;
}

/** What makes a request the same as another. */
export interface Claimed {
  readonly user: string;
  readonly createEndpoint: string;
  readonly key: string;
  /** Any JSON; compared by value. */
  readonly body: unknown;
}

/** Makes the claim of a request: its key means something only to its user and at its endpoint. */
export function claimOf({ user, createEndpoint, key, body }: Claimed): Claim {
  const id = hash('sha256', JSON.stringify([user, createEndpoint, key]), 'hex');
  return { id, fingerprint: fingerprintOf(body) };
}

/** What became of a request when it was carried out before: its outcome, or why it is refused now. */
export type PriorOutcome = { readonly outcome: string } | { readonly refusal: ServiceError };

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
 * @returns what became of it, or `undefined` when the request is to be carried out now. It is refused with a
 *   `CONFLICT`: while the first is still running, when the key was used with another body (status 422), or when the
 *   outcome was not kept.
 */
export const claimKey = batchedStatement<Claim, Found, PriorOutcome | undefined>({
  name: 'recall',
  // Each record is looked up by its key (OFFSET keeps that so), however few there were when this was planned.
  text: `SELECT pg_try_advisory_xact_lock(('x' || claim.lock)::bit(64)::bigint) AS held,
      record.fingerprint = decode(claim.fingerprint, 'hex') AS same, outcome
    FROM ROWS FROM (json_to_recordset($1::json) AS (lock text, id text, fingerprint text))
      WITH ORDINALITY AS claim (lock, id, fingerprint, place)
    LEFT JOIN LATERAL (
      SELECT fingerprint, outcome FROM idempotency_records
      WHERE id = decode(claim.id, 'hex') AND created_at > now() - interval '24 hours' OFFSET 0
    ) AS record ON true
    ORDER BY place`,
  values: (claims) => [JSON.stringify(claims.map((claim) => ({ ...claim, lock: lockOf(claim) })))],
  results: (rows, claims) => {
    const locks = claims.map(lockOf);
    return rows.map(({ held, same, outcome }, index) => {
      // Two requests in one transaction both get the lock.
      if (!held || locks.indexOf(locks[index] ?? '') < index) return { refusal: stillRunning() };
      return same === null ? undefined : recalled(same, outcome);
    });
  },
});

function recalled(same: boolean, outcome: string | null): PriorOutcome {
  if (!same) {
    const message = 'This Idempotency-Key was used before with another body.';
    return { refusal: new ServiceError('CONFLICT', message, { status: 422 }) };
  }
  if (outcome === null) {
    const message = 'This request was carried out before; its answer held a secret, which is shown only once.';
    return { refusal: new ServiceError('CONFLICT', message) };
  }
  return { outcome };
}

/** A request that has been carried out now. */
interface CarriedOut {
  readonly claim: Claim;
  /** `null` when it holds a secret. */
  readonly outcome: string | null;
}

/**
 * Records the outcome of a request in the transaction that carried it out: both are kept, or neither.
 *
 * @throws ServiceError `CONFLICT` when the request turns out to have been carried out by someone else.
 */
export const saveOutcome = batchedStatement<CarriedOut, { readonly id: string }, void>({
  name: 'remember',
  ctes: `WITH recorded AS (
      INSERT INTO idempotency_records AS record (id, fingerprint, outcome)
      SELECT decode(id, 'hex'), decode(fingerprint, 'hex'), outcome
      FROM json_to_recordset($1::json) AS request (id text, fingerprint text, outcome text)
      ON CONFLICT (id) DO UPDATE
        SET fingerprint = excluded.fingerprint, outcome = excluded.outcome, created_at = excluded.created_at
        WHERE record.created_at <= now() - interval '24 hours'
      RETURNING id
    )`,
  text: `SELECT encode(id, 'hex') AS id FROM recorded`,
  values: (requests) => [JSON.stringify(requests.map(({ claim, outcome }) => ({ ...claim, outcome })))],
  results: (rows, requests) => {
    const recorded = new Set(rows.map(({ id }) => id));
    return requests.map(({ claim }) => (recorded.has(claim.id) ? undefined : stillRunning()));
  },
});

/** The number of the lock that whoever carries out the request holds: 64 bits, in hex. */
const lockOf = ({ id }: Claim): string => id.slice(0, 16);

function stillRunning(): ServiceError {
  return new ServiceError('CONFLICT', 'The first request with this Idempotency-Key is still running.');
}

/** Removes the oldest of the records that are no longer replayed; says how many. */
export function removeExpiredRecords(db: Transaction, most: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_records WHERE id IN (
      SELECT id FROM idempotency_records WHERE created_at <= now() - interval '24 hours'
      ORDER BY created_at LIMIT ${most} FOR UPDATE SKIP LOCKED
    )`;
}
