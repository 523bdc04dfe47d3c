import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWKSCacheInput,
  type JWTHeaderParameters,
  type JWTVerifyGetKey,
  jwksCache,
} from 'jose';
import { z } from 'zod';

/** While the host is up, a removed key is accepted no longer than this. */
const refreshMs = 300_000;

const noKeys: JSONWebKeySet = { keys: [] };
const emptyCache = (): JWKSCacheInput => ({});

export interface Jwks {
  /** Finds the key for a token's header; throws unless there is exactly one. */
  readonly find: JWTVerifyGetKey;
  /** Whether `find` downloads the keys for this header: it finds none, and has not downloaded them within ten seconds. */
  downloadsFor(header: JWTHeaderParameters): Promise<boolean>;
  close(): void;
}

/**
 * Downloads the keys at once and every five minutes, and for an unknown key, unless a download has succeeded within ten
 * seconds (`docs/contract.md` 3). When a download fails, the known keys stay valid.
 */
export function openJwks(url: string, warn: (message: string) => void): Jwks {
  const cache = emptyCache();
  const keys = createRemoteJWKSet(new URL(url), {
    [jwksCache]: cache,
    cooldownDuration: 10_000,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    timeoutDuration: 2_000,
  });
  let known = { of: noKeys, keys: createLocalJWKSet(noKeys) };
  /** The keys of the last download. */
  const knownKeys = () => {
    const downloaded = 'jwks' in cache ? cache.jwks : noKeys;
    if (downloaded !== known.of) known = { of: downloaded, keys: createLocalJWKSet(downloaded) };
    return known.keys;
  };
  let isClosed = false;
  const refresh = (): Promise<void> =>
    keys.reload().catch((problem: unknown) => {
      if (isClosed) return;
      warn(`The keys at JWT_JWKS_URL could not be read (${reasonOf(problem)}); those known so far stay in use.`);
    });
  const timer = setInterval(refresh, refreshMs).unref();
  void refresh();
  return {
    find: keys,
    async downloadsFor(header) {
      if (keys.coolingDown) return false;
      const isUnknown = (problem: unknown): boolean => problem instanceof errors.JWKSNoMatchingKey;
      return knownKeys()(header).then(() => false, isUnknown);
    },
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

const failed = z.object({ cause: z.object({ code: z.string() }) });

/** Why a download failed. jose's messages are fixed texts; that of `fetch` may contain the URL with secrets in it. */
function reasonOf(problem: unknown): string {
  if (problem instanceof errors.JOSEError) return problem.message;
  return failed.safeParse(problem).data?.cause.code ?? 'the request failed';
}
