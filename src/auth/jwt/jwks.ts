import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { downloadJwks, reasonOf } from './jwks-download.ts';

/** How long things may take, in milliseconds, and what time it is. */
export interface JwksTiming {
  readonly now: () => number;
  /** The least time between two downloads on account of unknown keys, and between two warnings. */
  readonly cooldownMs: number;
  /** The time between two downloads in the background: while the host is up, a removed key is good no longer than this. */
  readonly refreshMs: number;
  /** How long a download may take; so long may a token with an unknown key wait. */
  readonly downloadMs: number;
}

/** The public keys that tokens are verified with (`docs/contract.md` 3). */
export interface Jwks {
  /** Finds the one key that a token's header names; throws when there is none, or more than one. */
  readonly find: JWTVerifyGetKey;
  close(): void;
}

/**
 * Opens the key set at an address. It is downloaded at once, again in the background for as long as it is
 * open, and when a token names a key that is not known. A download that fails takes nothing away: the keys
 * known so far go on working, and `warn` is told.
 *
 * jose downloads, shares a download that is under way, and finds keys. When an unknown key is looked for is decided
 * here: jose counts its cooldown from the last success, by the clock on the wall, so that a new key is refused for as
 * long after a refresh, a host that is down is asked for every token, and a clock that is set back ends all looking.
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

  // A clock that was set back does not prolong the wait.
  const coolingDown = (since: number): boolean => now() >= since && now() - since < cooldownMs;

  const warnOf = (problem: unknown): void => {
    if (closing.signal.aborted || coolingDown(warnedAt)) return;
    warnedAt = now();
    const isLate = problem instanceof errors.JWKSTimeout;
    const reason = isLate ? `the host took longer than ${downloadMs} ms` : reasonOf(problem);
    warn(`The keys at JWT_JWKS_URL could not be read (${reason}); those known so far stay in use.`);
  };

  /** Replaces the known keys; never rejects. */
  const refresh = (): Promise<void> => known.reload().catch(warnOf);

  /** Looks for keys that are not known yet. */
  const seek = async (): Promise<void> => {
    if (known.reloading) return refresh();
    if (closing.signal.aborted || coolingDown(soughtAt)) return;
    soughtAt = now();
    await refresh();
  };

  /** Never downloads, as jose would as long as no download has succeeded. */
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
