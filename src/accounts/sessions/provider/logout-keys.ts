import { setTimeout as delay } from 'node:timers/promises';
import { type CryptoKey, createRemoteJWKSet, errors, type JWSHeaderParameters } from 'jose';

/** Between two requests for the keys of a provider, for whomever: anybody may send a logout token. */
const renewEveryMs = 1_000;

export type FindLogoutKey = (header: JWSHeaderParameters) => Promise<CryptoKey>;

/** The keys of a provider. A token of an unknown key waits until they are read again, with all others that do. */
export function openLogoutKeys(address: URL, timeoutMs: number): FindLogoutKey {
  const known = createRemoteJWKSet(address, {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
    timeoutDuration: timeoutMs,
  });
  let renewedAt = Number.NEGATIVE_INFINITY;
  let renewal: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    await delay(Math.max(0, renewedAt + renewEveryMs - performance.now()));
    renewedAt = performance.now();
    await known.reload();
  };
  return async (header) => {
    if (known.jwks() !== undefined) {
      try {
        return await known(header);
      } catch (problem) {
        if (!(problem instanceof errors.JWKSNoMatchingKey)) throw problem;
      }
    }
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    await renewal;
    return known(header);
  };
}
