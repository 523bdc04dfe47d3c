/** Takes the writing of an answer that is ready, and does it soon. */
export type WriteBatch = (write: () => void) => void;

/** So many answers are written together at the most: nobody waits for more than these. */
const batchMax = 64;

/**
 * Makes the outbox, which writes answers together: after all requests that had arrived by now have been read, a
 * fraction of a millisecond later. Written one by one, each answer wakes its reader, which on a busy machine costs as
 * much as all else that a kept answer takes.
 */
export function createWriteBatch(): WriteBatch {
  let ready: (() => void)[] = [];
  const flush = (): void => {
    const writes = ready;
    ready = [];
    for (const write of writes) write();
  };
  return (write) => {
    ready.push(write);
    if (ready.length === 1) setImmediate(flush);
    else if (ready.length === batchMax) flush();
  };
}
