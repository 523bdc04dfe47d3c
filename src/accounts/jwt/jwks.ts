import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

/** While the host is up, a removed key is accepted no longer than this. */
const refreshMs = 300_000;

export interface Jwks {
  /** Finds the key for a token's header; throws unless there is exactly one. */
  readonly find: JWTVerifyGetKey;
  /** Whether it finds the key without a download. */
  knows(kid: string | undefined): boolean;
  close(): void;
}

/**
 * Downloads the keys at once and every five minutes, and for an unknown key, unless a download has succeeded within ten
 * seconds (`docs/contract.md` 3). When a download fails, the known keys stay valid.
 */
export function openJwks(url: string, warn: (message: string) => void): Jwks {
  const keys = createRemoteJWKSet(new URL(url), {
    cooldownDuration: 10_000,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    timeoutDuration: 2_000,
  });
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
    knows: (kid) => keys.jwks()?.keys.some((key) => kid === undefined || key.kid === kid) ?? false,
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
