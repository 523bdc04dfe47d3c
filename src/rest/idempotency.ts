import type { RequestContext } from '../context.ts';
import { type Claimed, claimOf, recall, remember } from '../database/idempotency.ts';

interface Outcome {
  readonly body: unknown;
  /** Whether it is that of an earlier request. */
  readonly replayed: boolean;
}

/**
 * Runs a request that has an `Idempotency-Key`, unless it has been run before: then its first outcome is replayed
 * (`contract.md` 8). What it writes and the record of it are one transaction. When it fails, the key stays free.
 *
 * @throws ServiceError what `run` throws, and `CONFLICT` as `recall` does.
 */
export function runOnce(
  context: RequestContext,
  request: Omit<Claimed, 'user'>,
  run: (context: RequestContext) => Promise<unknown>,
): Promise<Outcome> {
  const claim = claimOf({ ...request, user: context.caller.name ?? '' });
  return context.atomically(async (inner, tx) => {
    const recorded = await recall(tx, claim);
    if (recorded !== undefined) return { body: JSON.parse(recorded), replayed: true };
    const body = await run(inner);
    await remember(tx, claim, JSON.stringify(body));
    return { body, replayed: false };
  });
}
