import { hash } from 'node:crypto';
import { ServiceError } from '@service/errors';
import { batchedStatement } from '@service/postgres/batched-statement';
import type { AnyTransaction } from '@service/postgres/sql';
import { TransactionRestart } from '../database/availability.ts';
import type { Transaction } from '../database/types.ts';
import type { KeptOutcomes } from './kept-outcomes.ts';
import type { CatalogWrite } from './operation.ts';

/** An idempotent request: executed once, however often it is sent (`docs/contract.md` 8). */
export interface Claim {
  /** SHA-256 of the owner, the endpoint and the key, in hex. */
  readonly id: string;
  /** SHA-256 of the body, in hex. */
  readonly fingerprint: string;
  readonly owner: string;
}

export interface Claimed {
  /** See `ownerOf`. */
  readonly owner: string;
  readonly endpoint: string;
  readonly key: string;
  /** Any JSON; compared by value. */
  readonly body: unknown;
}

/** Keys are scoped to their owner and endpoint. */
export function claimOf({ owner, endpoint, key, body }: Claimed): Claim {
  const id = hash('sha256', JSON.stringify([owner, endpoint, key]), 'hex');
  return { id, fingerprint: fingerprintOf(body), owner };
}

/** The outcome to replay, or the error to respond with. */
export type PriorOutcome = { readonly outcome: string } | { readonly error: ServiceError };

interface ClaimedRow {
  /** Whether this transaction got the advisory lock: no other is executing the request. `null` when there is a record. */
  readonly held: boolean | null;
  /** Whether the recorded request had the same body; `null` when there is no record. */
  readonly same: boolean | null;
  readonly outcome: string | null;
}

/** Claims the request until the commit. `undefined`: execute it now. */
export async function claimKey(
  tx: AnyTransaction,
  claim: Claim,
  kept: KeptOutcomes,
): Promise<PriorOutcome | undefined> {
  const prior = await claimOrFind(tx, claim);
  if (prior !== undefined) return prior;
  const error = kept.problemOf(claim.owner);
  return error && { error };
}

/**
 * Looks up the record of a request and, if there is none, claims the request by an advisory lock until the commit, in
 * one statement. If the first request commits between its snapshot and its lock, `saveOutcome` rejects. Repeats of an
 * executed request take no lock, so concurrent ones all get a response.
 */
const claimOrFind = batchedStatement<Claim, ClaimedRow, PriorOutcome | undefined>({
  // Not prepared: a plan made for few records would scan many. OFFSET 0 makes it a lookup for each key.
  text: `SELECT
      CASE WHEN record.fingerprint IS NULL THEN pg_try_advisory_xact_lock(('x' || claim.lock)::bit(64)::bigint) END AS held,
      record.fingerprint = decode(claim.fingerprint, 'hex') AS same, outcome
    FROM ROWS FROM (json_to_recordset($1::json) AS (lock text, id text, fingerprint text))
      WITH ORDINALITY AS claim (lock, id, fingerprint, place)
    LEFT JOIN LATERAL (
      SELECT fingerprint, outcome FROM idempotency_records
      WHERE id = decode(claim.id, 'hex') AND created_at > now() - interval '24 hours' OFFSET 0
    ) AS record ON true
    ORDER BY place`,
  values: (claims) => [
    JSON.stringify(claims.map((claim) => ({ lock: lockOf(claim), id: claim.id, fingerprint: claim.fingerprint }))),
  ],
  results: (rows, claims) => {
    const locks = claims.map(lockOf);
    return rows.map(({ held, same, outcome }, index) => {
      if (same !== null) return priorOutcome(same, outcome);
      // Two requests in one transaction (group commit) both get the lock.
      const isFirst = locks.indexOf(locks[index] ?? '') === index;
      return held && isFirst
        ? undefined
        : { error: new ServiceError('CONFLICT', stillRunning, { retryAfterSeconds: 1 }) };
    });
  },
});

function priorOutcome(same: boolean, outcome: string | null): PriorOutcome {
  if (!same) {
    const message = 'This Idempotency-Key was used before with another body.';
    return { error: new ServiceError('CONFLICT', message, { status: 422 }) };
  }
  if (outcome === null) {
    const message = 'This request was executed before; its response had a secret, which is shown only once.';
    return { error: new ServiceError('CONFLICT', message) };
  }
  return { outcome };
}

interface ExecutedRequest {
  readonly claim: Claim;
  /** `null` when it has a secret. */
  readonly outcome: string | null;
}

/** Bytes of an outcome that is kept: a longer response of GraphQL is `RESPONSE_TOO_LARGE`. */
export const outcomeBytesMax = 1_000_000;
/**
 * Keeps an outcome for repeats.
 * @throws TransactionRestart when another transaction was faster; the next attempt finds its outcome.
 */
export async function saveOutcome(tx: AnyTransaction, request: ExecutedRequest, kept: KeptOutcomes): Promise<void> {
  await insertOutcome(tx, request);
  kept.count(request.claim.owner, Buffer.byteLength(request.outcome ?? ''));
}

const insertOutcome = batchedStatement<ExecutedRequest, { readonly id: string }, void>({
  name: 'save outcomes',
  ctes: `WITH recorded AS (
      INSERT INTO idempotency_records AS record (id, fingerprint, outcome)
      SELECT decode(id, 'hex'), decode(fingerprint, 'hex'), outcome
      FROM json_to_recordset($1::json) AS request (id text, fingerprint text, outcome text)
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, outcome = excluded.outcome,
          created_at = excluded.created_at
        WHERE record.created_at <= now() - interval '24 hours'
      RETURNING id
    )`,
  text: `SELECT encode(id, 'hex') AS id FROM recorded`,
  values: (requests) => [
    JSON.stringify(requests.map(({ claim: { id, fingerprint }, outcome }) => ({ id, fingerprint, outcome }))),
  ],
  results: (rows, requests) => {
    const recorded = new Set(rows.map(({ id }) => id));
    return requests.map(({ claim }) =>
      recorded.has(claim.id) ? undefined : new TransactionRestart('CONFLICT', stillRunning),
    );
  },
});

const lockOf = ({ id }: Claim): string => id.slice(0, 16);

const stillRunning = 'The first request with this Idempotency-Key is still running.';

interface IdempotencyKey<Result> {
  /** Called once the body has arrived. */
  readonly makeClaim: () => Claim;
  readonly bodyOf: (result: Result) => string;
}

/** Outcome of a write with a key: its own, or an earlier request's. */
export type KeyedOutcome<Result> = { readonly result: Result; readonly body: string } | PriorOutcome;

/**
 * Performs an operation once for all requests with a key: the change and the record of its response are one
 * transaction. A failure leaves the key free.
 */
export function withIdempotencyKey<Input, Result>(
  operation: CatalogWrite<Input, Result>,
  { makeClaim, bodyOf }: IdempotencyKey<Result>,
): CatalogWrite<Input, KeyedOutcome<Result>> {
  return {
    name: operation.name,
    access: operation.access,
    input: operation.input,
    ...(operation.accessFor && { accessFor: operation.accessFor }),
    ...(operation.rejects && { rejects: operation.rejects }),
    transaction: operation.transaction,
    ...(operation.transactionFor && { transactionFor: operation.transactionFor }),
    affects: (outcome) => ('result' in outcome ? operation.affects(outcome.result) : 'nothing'),
    run: async (input, writing) => {
      const claim = makeClaim();
      const { keptOutcomes } = writing.request.app;
      const prior = await claimKey(writing.tx, claim, keptOutcomes);
      // Returned, not thrown: an error would roll back what other requests did in the transaction.
      if (prior !== undefined) return prior;
      const result = await operation.run(input, writing);
      const body = bodyOf(result);
      await saveOutcome(writing.tx, { claim, outcome: body }, keptOutcomes);
      return { result, body };
    },
  };
}

/** The oldest first; returns how many. */
export function removeExpiredRecords(db: Transaction, max: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotency_records WHERE id IN (
      SELECT id FROM idempotency_records WHERE created_at <= now() - interval '24 hours'
      ORDER BY created_at LIMIT ${max} FOR UPDATE SKIP LOCKED
    )`;
}

/** Hashes a value regardless of the order of its members. Iterative: a deeply nested body cannot overflow the stack. */
export function fingerprintOf(value: unknown): string {
  // One line per value; arrays start with their length and objects with their keys, so neither needs an end marker.
  const lines: string[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) {
      lines.push(`[${next.length}`);
      for (const item of next) pending.push(item);
    } else if (typeof next === 'object' && next !== null) {
      const members = Object.entries(next).sort(([one], [other]) => (one < other ? -1 : 1));
      lines.push(`{${JSON.stringify(members.map(([name]) => name))}`);
      for (const [, member] of members) pending.push(member);
    } else lines.push(typeof next === 'string' ? JSON.stringify(next) : String(next));
  }
  return hash('sha256', lines.join('\n'), 'hex');
}
