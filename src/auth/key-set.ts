import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { downloadKeySet, reasonOf } from './key-set-download.ts';

/** How long things may take, in milliseconds, and what time it is. */
export interface KeySetTiming {
  readonly now: () => number;
  /** The least time between two downloads on account of unknown keys, and between two warnings. */
  readonly cooldownMs: number;
  /** The time between two downloads in the background: while the host is up, a removed key is good no longer than this. */
  readonly refreshMs: number;
  /** How long a download may take; so long may a token with an unknown key wait. */
  readonly downloadMs: number;
}

/** The public keys that tokens are verified with (`contract.md` 3). */
export interface KeySet {
  /** Finds the one key that a token's header names; throws when there is none, or more than one. */
  readonly find: JWTVerifyGetKey;
  close(): void;
}

/**
 * Opens the key set at an address. It is downloaded at once, again in the background for as long as it is
 * open, and when a token names a key that is not known. A download that fails takes nothing away: the keys
 * known so far go on working, and `warn` is told.
 *
 * jose's own remote key set would not do: it fails once its cache is old and the host is down, keeps
 * tokens waiting for the refresh, and asks a host that is down again for every token.
 */
export function openKeySet(url: string, timing: KeySetTiming, warn: (message: string) => void): KeySet {
  const { now, cooldownMs, refreshMs, downloadMs } = timing;
  let findKnown = createLocalJWKSet({ keys: [] });
  let download: Promise<void> | undefined;
  let aborting = new AbortController();
  let soughtAt = Number.NEGATIVE_INFINITY;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  // A clock that was set back does not prolong the wait.
  const coolingDown = (since: number): boolean => now() >= since && now() - since < cooldownMs;

  const warnOf = (reason: string): void => {
    if (closed || coolingDown(warnedAt)) return;
    warnedAt = now();
    warn(`The keys at JWT_JWKS_URL could not be read (${reason}); those known so far stay in use.`);
  };

  /** Replaces the known keys; never rejects. */
  const replaceKeys = async (): Promise<void> => {
    aborting = new AbortController();
    const { signal } = aborting;
    const timer = setTimeout(() => aborting.abort(), downloadMs);
    try {
      findKnown = createLocalJWKSet(await downloadKeySet(url, signal));
    } catch (error) {
      warnOf(signal.aborted ? `the host took longer than ${downloadMs} ms` : reasonOf(error));
    } finally {
      clearTimeout(timer);
      // Frees the connection of an answer that was not read to its end.
      aborting.abort();
      download = undefined;
    }
  };

  /** All who need a download share the one under way. */
  const refresh = (): Promise<void> => {
    download ??= replaceKeys();
    return download;
  };

  /** Looks for keys that are not known yet. */
  const seek = async (): Promise<void> => {
    if (download !== undefined) return download;
    if (closed || coolingDown(soughtAt)) return;
    soughtAt = now();
    await refresh();
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
      closed = true;
      clearInterval(timer);
      aborting.abort();
    },
  };
}
