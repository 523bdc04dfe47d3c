import query from './catalog-changed.graphql?raw';
import { forgetEarlyReads } from './early-reads.ts';
import { fetchWithKey } from './fetch-with-key.ts';

/** A connection of the event stream that was asked for before there was anything to show. */
export interface EarlyEvents {
  /** Whether the service has begun to send them: what is read from now on lacks no change. */
  readonly haveBegun: () => boolean;
  /** The response, once; an abort of the signal ends it. `undefined` when it is taken, or was given back. */
  readonly take: (signal: AbortSignal) => Promise<Response> | undefined;
}

let requested: { readonly key: string; readonly events: EarlyEvents } | undefined;

export const earlyEvents = (key: string): EarlyEvents | undefined =>
  requested?.key === key ? requested.events : undefined;

/**
 * Subscribes to the changes of the catalog before the scripts that show it have come, and calls `begun` when the service
 * sends them: a list that is read from then on need not be read again. A hidden tab has no connection.
 */
export function requestEvents(key: string, begun: () => void): void {
  if (document.visibilityState === 'hidden') return;
  const cut = new AbortController();
  const given = new AbortController();
  const response = fetchWithKey(key)('/graphql', {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: {} }),
    signal: cut.signal,
  });
  let haveBegun = false;
  response.then(
    ({ ok }) => {
      haveBegun = ok;
      if (ok && !given.signal.aborted) begun();
    },
    // The connection that takes this response handles a failure.
    () => undefined,
  );
  const giveBack = (): void => {
    given.abort();
    cut.abort();
    forgetEarlyReads();
  };
  // Browsers open six connections to a host, for all tabs and for the pages behind the back button.
  document.addEventListener('visibilitychange', giveBack, { signal: given.signal });
  window.addEventListener('pagehide', giveBack, { signal: given.signal });
  const events: EarlyEvents = {
    haveBegun: () => haveBegun,
    take: (signal) => {
      if (given.signal.aborted) return undefined;
      given.abort();
      signal.addEventListener('abort', () => cut.abort());
      if (signal.aborted) cut.abort();
      return response;
    },
  };
  requested = { key, events };
}
