/** Single-flight (request coalescing): concurrent calls with one key share one execution, or its error. */
export type SingleFlight<Result> = (key: string, execute: () => Promise<Result>, caller?: Sharing) => Promise<Result>;

/** Who calls. Whoever began an execution is told who else waits for it, whose share of some limit it may use. */
export interface Sharing {
  readonly owner: string;
  joinedBy(owner: string): void;
}

interface Flight<Result> {
  readonly result: Promise<Result>;
  readonly snapshot: Snapshot | undefined;
  readonly caller: Sharing | undefined;
}

interface Snapshot {
  isCurrent(): boolean;
}

/**
 * Shares executions of equal calls, each only while the snapshot at its beginning is current: a caller reads its own
 * writes, and never a result older than a write that another instance has acknowledged. Without `takeSnapshot` always.
 */
export function createSingleFlight<Result>(takeSnapshot?: () => Snapshot): SingleFlight<Result> {
  // No map, whose discarded tables would keep results from the collection among the young, as they form a chain.
  const flights: Record<string, Flight<Result>> = Object.create(null);
  return (key, execute, caller) => {
    const joined = flights[key];
    if (joined !== undefined && joined.snapshot?.isCurrent() !== false) {
      if (caller !== undefined) joined.caller?.joinedBy(caller.owner);
      return joined.result;
    }
    const flight = { snapshot: takeSnapshot?.(), result: execute(), caller };
    flights[key] = flight;
    const forget = (): void => {
      if (flights[key] === flight) delete flights[key];
    };
    flight.result.then(forget, forget);
    return flight.result;
  };
}
