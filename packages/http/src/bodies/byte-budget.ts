/**
 * Bounds the memory that clients hold together while they are slow to send or to read. Over the limit, the client that
 * has held memory longest is disconnected.
 */
export interface ByteBudget {
  hold(cutOff: () => void): Holding;
}

interface Holding {
  /** The bytes that are held now; at zero, the client counts as new. */
  set(bytes: number): void;
  /** Counts the bytes on, but no longer as bytes of a slow client. */
  settle(): void;
  release(): void;
}

/** Memory that many holders share; over `bytesMax`, the one that has held longest is cut off. */
export function createByteBudget(bytesMax: number): ByteBudget {
  let total = 0;
  /** Cut-offs of the slow clients, in the order in which they began. */
  const waiting = new Set<() => void>();

  return {
    hold: (cutOff) => {
      let held = 0;
      let settled = false;
      const change = (bytes: number): void => {
        total += bytes - held;
        held = bytes;
      };
      const settle = (): void => {
        settled = true;
        waiting.delete(end);
      };
      const release = (): void => {
        settle();
        change(0);
      };
      const end = (): void => {
        release();
        cutOff();
      };
      return {
        set: (bytes) => {
          if (settled) return;
          change(bytes);
          if (bytes === 0) waiting.delete(end);
          else waiting.add(end);
          for (const longest of waiting) {
            if (total <= bytesMax) return;
            longest();
          }
        },
        settle,
        release,
      };
    },
  };
}
