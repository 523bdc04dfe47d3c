/** Single-flight (request coalescing): concurrent calls with one key share one execution, or its error. */
export type SingleFlight<Result> = (key: string, execute: () => Promise<Result>) => Promise<Result>;

interface Flight<Result> {
  readonly result: Promise<Result>;
  readonly snapshot: Snapshot | undefined;
}

interface Snapshot {
  isCurrent(): boolean;
}

/**
 * Shares executions of equal calls, each only while the snapshot at its beginning is current: a caller reads its own
 * writes, and never a result older than a write that another instance has acknowledged. Without `takeSnapshot` always.
 */
export function createSingleFlight<Result>(takeSnapshot?: () => Snapshot): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();
  return (key, execute) => {
    const joined = flights.get(key);
    if (joined !== undefined && joined.snapshot?.isCurrent() !== false) return joined.result;
    const flight = { snapshot: takeSnapshot?.(), result: execute() };
    flights.set(key, flight);
    const forget = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(forget, forget);
    return flight.result;
  };
}
