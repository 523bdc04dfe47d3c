import { type Exchange, mapExchange, type Operation } from '@urql/core';

/** Changes come in groups: what they overtook is read again once the group has passed. */
const readAgainMs = 250;

/** Reads that changes of the catalog overtook. */
export interface OvertakenReads {
  /** Stands behind the cache, and before the subscription. */
  readonly exchange: Exchange;
  /** The events of changes begin: what was read or sent before them may lack some. */
  readonly eventsBegan: () => void;
}

/**
 * A response is older than an event that arrives while it is on its way: a list may still have the record that the event
 * has just removed, and no later event says so. Such a query is sent again.
 */
export function createOvertakenReads(readAgain: (query: Operation) => void): OvertakenReads {
  /** The queries in flight; whether a change overtook them. */
  const inFlight = new Map<number, boolean>();
  /** Queries answered before the events began. */
  const early = new Map<number, Operation>();
  let haveBegun = false;
  const readLater = (query: Operation): void => {
    setTimeout(() => readAgain(query), readAgainMs);
  };
  const overtake = (): void => {
    for (const key of inFlight.keys()) inFlight.set(key, true);
  };
  return {
    exchange: mapExchange({
      onOperation: ({ kind, key }) => {
        if (kind === 'query') inFlight.set(key, false);
        if (kind === 'teardown') for (const queries of [inFlight, early]) queries.delete(key);
      },
      onResult: ({ operation }) => {
        const { kind, key } = operation;
        if (kind === 'subscription') overtake();
        if (kind !== 'query') return;
        const wasOvertaken = inFlight.get(key) === true;
        inFlight.delete(key);
        if (wasOvertaken) readLater(operation);
        else if (!haveBegun) early.set(key, operation);
      },
    }),
    eventsBegan: () => {
      haveBegun = true;
      overtake();
      for (const query of early.values()) readLater(query);
      early.clear();
    },
  };
}
