import { type Exchange, mapExchange, type Operation } from '@urql/core';

/** Changes come in groups: what they overtook is read again once the group has passed. */
const readAgainMs = 250;

/** Reads that changes of the catalog overtook. */
export interface OvertakenReads {
  /** Stands behind the cache, and before the subscription. */
  readonly exchange: Exchange;
  /**
   * The events of changes are received: what was read or sent before may lack some, or only what was sent before
   * `haveBegun`, if they are those events.
   */
  readonly eventsBegan: (areThose?: boolean) => void;
}

interface OvertakenOptions {
  readonly readAgain: (query: Operation) => void;
  /** Whether the service sends events already, which are received later. */
  readonly haveBegun?: () => boolean;
}

/**
 * A response is older than an event that arrives while it is on its way: a list may still have the record that the event
 * has just removed, and no later event says so. Such a query is sent again.
 */
export function createOvertakenReads({ readAgain, haveBegun = () => false }: OvertakenOptions): OvertakenReads {
  /** The queries in flight; whether a change overtook them. */
  const inFlight = new Map<number, boolean>();
  /** Queries sent before the service began to send events. */
  const sentBefore = new Set<number>();
  /** Queries answered before events were received. */
  const answered = new Map<number, Operation>();
  let areReceived = false;
  const readLater = (query: Operation): void => {
    setTimeout(() => readAgain(query), readAgainMs);
  };
  return {
    exchange: mapExchange({
      onOperation: ({ kind, key }) => {
        if (kind === 'query') {
          inFlight.set(key, false);
          if (!areReceived && !haveBegun()) sentBefore.add(key);
        }
        if (kind === 'teardown') for (const queries of [inFlight, sentBefore, answered]) queries.delete(key);
      },
      onResult: ({ operation }) => {
        const { kind, key } = operation;
        if (kind === 'subscription') for (const query of inFlight.keys()) inFlight.set(query, true);
        if (kind !== 'query') return;
        const wasOvertaken = inFlight.get(key) === true;
        inFlight.delete(key);
        if (wasOvertaken) readLater(operation);
        else if (!areReceived) answered.set(key, operation);
      },
    }),
    eventsBegan: (areThose = false) => {
      areReceived = true;
      const mayLack = (key: number): boolean => !areThose || sentBefore.has(key);
      for (const key of inFlight.keys()) if (mayLack(key)) inFlight.set(key, true);
      for (const [key, query] of answered) if (mayLack(key)) readLater(query);
      for (const queries of [sentBefore, answered]) queries.clear();
    },
  };
}
