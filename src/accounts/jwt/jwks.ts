import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { downloadFailureReason, downloadJwks } from './jwks-download.ts';

export interface JwksTiming {
  readonly now: () => number;
  /** Minimum time between two downloads for unknown keys, and between two warnings. */
  readonly cooldownMs: number;
  /** Interval of background downloads; while the host is up, a removed key is accepted no longer than this. */
  readonly refreshMs: number;
  readonly downloadMs: number;
}

export interface Jwks {
  /** Finds the key for a token's header; throws unless there is exactly one. */
  readonly find: JWTVerifyGetKey;
  close(): void;
}

/**
 * Downloaded at once, in the background, and for an unknown key; when a download fails, the known keys stay valid.
 * jose's own cooldown counts from the last success on the wall clock: a new key would be rejected after a refresh, a
 * host that is down requested for every token, and a clock that is set back would stop all downloads.
 */
export function openJwks(url: string, timing: JwksTiming, warn: (message: string) => void): Jwks {
  const { now, cooldownMs, refreshMs, downloadMs } = timing;
  const closing = new AbortController();
  let soughtAt = Number.NEGATIVE_INFINITY;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const known = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
    timeoutDuration: downloadMs,
    [customFetch]: (address, { signal }) => downloadJwks(address, AbortSignal.any([signal, closing.signal])),
  });

  // A clock that was set back does not prolong the cooldown.
  const coolingDown = (since: number): boolean => now() >= since && now() - since < cooldownMs;

  const warnOf = (problem: unknown): void => {
    if (closing.signal.aborted || coolingDown(warnedAt)) return;
    warnedAt = now();
    const isLate = problem instanceof errors.JWKSTimeout;
    const reason = isLate ? `the host took longer than ${downloadMs} ms` : downloadFailureReason(problem);
    warn(`The keys at JWT_JWKS_URL could not be read (${reason}); those known so far stay in use.`);
  };

  const refresh = (): Promise<void> => known.reload().catch(warnOf);

  const seek = async (): Promise<void> => {
    if (known.reloading) return refresh();
    if (closing.signal.aborted || coolingDown(soughtAt)) return;
    soughtAt = now();
    await refresh();
  };

  /** Never downloads, as jose itself would until a download has succeeded. */
  const findKnown: JWTVerifyGetKey = async (header, token) => {
    if (known.jwks() === undefined) throw new errors.JWKSNoMatchingKey();
    return known(header, token);
  };

  const find: JWTVerifyGetKey = async (header, token) => {
    try {
      return await findKnown(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await seek();
    return findKnown(header, token);
  };

  const timer = setInterval(refresh, refreshMs).unref();
  void refresh();
  return {
    find,
    close() {
      clearInterval(timer);
      closing.abort();
    },
  };
}
