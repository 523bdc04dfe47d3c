import type { RequestContext } from '../context.ts';
import type { GroupCommitOptions } from '../database/connection/group-commit.ts';
import type { AnyTransaction } from '../database/connection/sql.ts';
import {
  type Claimed,
  claimKey,
  claimOf,
  type PriorOutcome,
  saveOutcome,
} from '../database/idempotency/idempotency.ts';

interface Outcome {
  readonly body: unknown;
  /** Whether it is the outcome of an earlier request. */
  readonly replayed: boolean;
}

type Request = Omit<Claimed, 'user'> & GroupCommitOptions;

/**
 * Runs a request with an `Idempotency-Key` once; a repeat gets the first outcome (`docs/contract.md` 8). The change and
 * its idempotency record are one transaction. When it fails, the key stays free.
 *
 * @throws ServiceError what `run` throws, and the `CONFLICT` of `claimKey`.
 */
export async function runIdempotent(
  context: RequestContext,
  { groupable, ...request }: Request,
  run: (context: RequestContext) => Promise<unknown>,
): Promise<Outcome> {
  const claim = claimOf({ ...request, user: context.caller.name ?? '' });
  const once = async (inner: RequestContext, tx: AnyTransaction): Promise<Outcome | PriorOutcome> => {
    const recalled = await claimKey(tx, claim);
    // Not an error: that would roll back what other requests did in the transaction.
    if (recalled !== undefined) return recalled;
    const body = await run(inner);
    await saveOutcome(tx, { claim, outcome: JSON.stringify(body) });
    return { body, replayed: false };
  };
  const outcome = await context.runInGroupCommit(once, { groupable });
  if ('error' in outcome) throw outcome.error;
  return 'body' in outcome ? outcome : { body: JSON.parse(outcome.outcome), replayed: true };
}
