import { ServiceError } from '@service/errors';

/** Bytes of the outcomes of an owner that an instance keeps; those that run at once may exceed them. */
export const keptBytesMax = 500_000_000;
/** What PostgreSQL stores of each beside the outcome, indexes included. */
const rowBytes = 250;
/** Outcomes are kept for 24 hours, counted from the end of the hour in which they are. */
const hoursKept = 25;
const hourMs = 3_600_000;

interface Hour {
  readonly number: number;
  readonly bytesOf: Map<string, number>;
}

/**
 * Counts the outcomes that an instance keeps for each owner. In memory: in the database the count would cost a create more
 * than its outcome does.
 */
export class KeptOutcomes {
  readonly #now: () => number;
  readonly #bytesMax: number;
  /** The oldest first. */
  readonly #hours: Hour[] = [];

  /** `now`: a monotonic clock, in milliseconds. */
  constructor({ now = () => performance.now(), bytesMax = keptBytesMax } = {}) {
    this.#now = now;
    this.#bytesMax = bytesMax;
  }

  count(owner: string, bytes: number): void {
    const { bytesOf } = this.#latest();
    bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + bytes + rowBytes);
  }

  /** Why no more is kept of an owner: `RATE_LIMITED`. */
  problemOf(owner: string): ServiceError | undefined {
    this.#latest();
    const used = this.#hours.filter(({ bytesOf }) => bytesOf.has(owner));
    const bytes = used.reduce((sum, { bytesOf }) => sum + (bytesOf.get(owner) ?? 0), 0);
    const [oldest] = used;
    if (oldest === undefined || bytes < this.#bytesMax) return undefined;
    const leftMs = (oldest.number + hoursKept) * hourMs - this.#now();
    const message = `The responses that are kept for your Idempotency-Keys for 24 hours have ${this.#bytesMax} bytes, which is the limit. Please select fewer fields in mutations with a key, or wait.`;
    return new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
  }

  /** The present hour, once those that are over are forgotten. */
  #latest(): Hour {
    const number = Math.floor(this.#now() / hourMs);
    while (this.#hours[0] !== undefined && this.#hours[0].number + hoursKept <= number) this.#hours.shift();
    const last = this.#hours.at(-1);
    if (last?.number === number) return last;
    const hour: Hour = { number, bytesOf: new Map() };
    this.#hours.push(hour);
    return hour;
  }
}
