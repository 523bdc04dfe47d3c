import { type Exchange, mapExchange, type Operation } from '@urql/core';

/** Changes come in groups: one refetch per group. */
const refetchMs = 250;

interface StaleResponses {
  /** Goes behind the cache, and before the subscription. */
  readonly exchange: Exchange;
  /** Call when the stream is live. Queries sent earlier may have missed events and are refetched. */
  readonly streamOpened: () => void;
}

/**
 * Refetches queries that raced an event. Such a response may be older than the event: a list may still have the record
 * that the event has just removed, and no later event corrects it.
 */
export function refetchStaleResponses(refetch: (query: Operation) => void): StaleResponses {
  /** The queries in flight, and whether an event has arrived since they were sent. */
  const inFlight = new Map<number, boolean>();
  /** Queries with a response from before the stream was live. */
  const early = new Map<number, Operation>();
  let isLive = false;
  const refetchLater = (query: Operation): void => {
    setTimeout(() => refetch(query), refetchMs);
  };
  const markInFlight = (): void => {
    for (const query of inFlight.keys()) inFlight.set(query, true);
  };
  return {
    exchange: mapExchange({
      onOperation: ({ kind, key }) => {
        if (kind === 'query') inFlight.set(key, false);
        if (kind === 'teardown') for (const queries of [inFlight, early]) queries.delete(key);
      },
      onResult: ({ operation }) => {
        const { kind, key } = operation;
        if (kind === 'subscription') markInFlight();
        if (kind !== 'query') return;
        const isStale = inFlight.get(key) === true;
        inFlight.delete(key);
        if (isStale) refetchLater(operation);
        else if (!isLive) early.set(key, operation);
      },
    }),
    streamOpened: () => {
      isLive = true;
      markInFlight();
      for (const query of early.values()) refetchLater(query);
      early.clear();
    },
  };
}
