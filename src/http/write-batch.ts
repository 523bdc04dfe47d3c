/** Schedules the write of a response that is ready. */
export type WriteBatch = (write: () => void) => void;

/** Bounds how long the first write of a batch waits. */
const batchMax = 64;

/**
 * Creates a batch of socket writes: responses of one turn of the event loop are written together, after all requests
 * that have arrived are read. Written one by one, each response wakes its client, which on a busy machine costs as much
 * as everything else about a cached response.
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
