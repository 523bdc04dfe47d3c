import type { AnyTransaction } from '@service/postgres/sql';
import type { RequestContext, WriteContext } from '../context.ts';
import {
  type Claimed,
  claimKey,
  claimOf,
  type PriorOutcome,
  retryIfExecuted,
  saveOutcome,
} from '../idempotency/idempotency.ts';

interface Outcome {
  readonly body: unknown;
  /** Whether it is the outcome of an earlier request. */
  readonly replayed: boolean;
}

interface Request extends Omit<Claimed, 'user'> {
  readonly groupable: boolean | undefined;
}

/**
 * Runs a request with an `Idempotency-Key` once; a repeat gets the first outcome (`docs/contract.md` 8). The change and
 * its idempotency record are one transaction; when it fails, the key stays free.
 * @throws ServiceError what `run` throws, and the `CONFLICT` of `claimKey`.
 */
export async function runIdempotent(
  context: RequestContext,
  { groupable, ...request }: Request,
  run: (context: RequestContext) => Promise<unknown>,
): Promise<Outcome> {
  const claim = claimOf({ ...request, user: context.caller.name ?? '' });
  const once = async (inner: WriteContext<AnyTransaction>): Promise<Outcome | PriorOutcome> => {
    const prior = await claimKey(inner.tx, claim);
    // Not an error: that would roll back what other requests did in the transaction.
    if (prior !== undefined) return prior;
    const body = await run(inner);
    await saveOutcome(inner.tx, { claim, outcome: JSON.stringify(body) });
    return { body, replayed: false };
  };
  const outcome = await retryIfExecuted(() => context.transaction(once, { affects: 'nothing', groupable }));
  if ('error' in outcome) throw outcome.error;
  if ('body' in outcome) return outcome;
  // A replay acknowledges a write, maybe of another instance: later reads of the client must show it.
  await context.catchUp();
  return { body: JSON.parse(outcome.outcome), replayed: true };
}
