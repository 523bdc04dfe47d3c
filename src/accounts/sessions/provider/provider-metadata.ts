import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from 'openid-client';

/** Between two renewals after a failure. */
const cooldownMs = 60_000;
const renewAfterMs = 6 * 3_600_000;

/** The metadata of a provider, which change while the service runs: addresses, algorithms, ways to authenticate. */
export interface ProviderMetadata {
  /** Reads them at the first call, and after a failure of that at the next. Some hours later, reads them again meanwhile. */
  current(): Promise<Configuration>;
  /**
   * Reads them again, at most once a minute, when something has failed that they may explain. Returns whether they have
   * changed.
   */
  haveChanged(): Promise<boolean>;
}

/** `now`: a monotonic clock, in milliseconds. */
export function createProviderMetadata(
  discover: () => Promise<Configuration>,
  now = () => performance.now(),
): ProviderMetadata {
  let known: Promise<Configuration> | undefined;
  let readAt = 0;
  let renewal: Promise<boolean> | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;

  const read = (): Promise<Configuration> => {
    readAt = now();
    const reading = discover().catch((problem: unknown) => {
      if (known === reading) known = undefined;
      throw problem;
    });
    return reading;
  };

  const renew = async (before: Promise<Configuration>): Promise<boolean> => {
    renewedAt = now();
    try {
      const found = await read();
      const hasChanged = !isDeepStrictEqual({ ...found.serverMetadata() }, { ...(await before).serverMetadata() });
      // Without a change its keys stay in use, which are stored with it.
      if (hasChanged) known = Promise.resolve(found);
      return hasChanged;
    } catch {
      // The ones that are known stay in use.
      return false;
    }
  };

  const renewOnce = (before: Promise<Configuration>): Promise<boolean> => {
    renewal ??= renew(before).finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  return {
    current: () => {
      if (known === undefined) known = read();
      else if (now() - readAt > renewAfterMs) void renewOnce(known);
      return known;
    },
    haveChanged: async () => {
      if (known === undefined || (renewal === undefined && now() - renewedAt < cooldownMs)) return false;
      return renewOnce(known);
    },
  };
}
