import { ServiceError } from '@service/errors';

/** Places for work that goes on without an admission slot. */
export interface Places {
  /** Takes a place, and returns what gives it back. @throws ServiceError `RATE_LIMITED` or `UNAVAILABLE`. */
  take(owner: string): () => void;
}

interface PlacesOptions {
  readonly placesMax: number;
  /** Singular and plural of the work, such as `an export` and `exports`. */
  readonly one: string;
  readonly many: string;
}

const retryAfterSeconds = 5;

/** Admits up to `placesMax` pieces of work at a time, and one for each owner. */
export function createPlaces({ placesMax, one, many }: PlacesOptions): Places {
  const taken = new Set<string>();
  return {
    take: (owner) => {
      if (taken.has(owner)) {
        const message = `You have ${one} running already. Please try again when it has finished.`;
        throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds });
      }
      if (taken.size >= placesMax) {
        throw new ServiceError('UNAVAILABLE', `Too many ${many} are running. Please try again.`, { retryAfterSeconds });
      }
      taken.add(owner);
      return () => void taken.delete(owner);
    },
  };
}
