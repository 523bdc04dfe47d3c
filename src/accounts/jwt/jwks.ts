import { createRemoteJWKSet, customFetch, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

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

const responseBytesMax = 262_144;

/** Why a key set cannot be used; the message is safe to log. */
class KeySetProblem extends Error {
  override readonly name = 'KeySetProblem';
}

const usage = {
  kid: z.string().exactOptional(),
  alg: z.string().exactOptional(),
  use: z.literal('sig').exactOptional(),
  key_ops: z.array(z.string()).exactOptional(),
  // A published private key is compromised.
  d: z.never().exactOptional(),
};

const publicKey = z.discriminatedUnion('kty', [
  z.object({ ...usage, kty: z.literal('RSA'), n: z.string(), e: z.string() }),
  z.object({ ...usage, kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
  z.object({ ...usage, kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
]);

const jwks = z.object({ keys: z.array(z.unknown()) });

/** Replaces jose's `fetch`. Ignores keys of other types, symmetric and private ones included (RFC 7517, 5). */
async function downloadJwks(url: string, signal: AbortSignal): Promise<Response> {
  const rest = new AbortController();
  try {
    const either = AbortSignal.any([signal, rest.signal]);
    // Redirects are rejected, as their target would choose the keys.
    const response = await fetch(url, { signal: either, redirect: 'manual', headers: { accept: 'application/json' } });
    if (response.status !== 200) throw new KeySetProblem(`the host responded with ${response.status}`);
    return Response.json(parseKeySet(await readText(response)));
  } catch (problem) {
    signal.throwIfAborted();
    throw problem;
  } finally {
    // Frees the connection of a response that was not read to its end.
    rest.abort();
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > responseBytesMax) throw new KeySetProblem(`the response is larger than ${responseBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseKeySet(text: string): JSONWebKeySet {
  const parsed = jwks.safeParse(parseJson(text));
  if (!parsed.success) throw new KeySetProblem('the response is not a JSON Web Key Set');
  return {
    keys: parsed.data.keys.flatMap((candidate) => {
      const key = publicKey.safeParse(candidate);
      return key.success ? [key.data] : [];
    }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeySetProblem('the response is not JSON');
  }
}

const failed = z.object({ cause: z.object({ code: z.string() }) });

/** Why a download failed. Never a library's own message, which may contain the URL with secrets in it. */
function downloadFailureReason(error: unknown): string {
  if (error instanceof KeySetProblem) return error.message;
  const known = failed.safeParse(error);
  return known.success ? known.data.cause.code : 'the request failed';
}
