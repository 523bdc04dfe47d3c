export type WriteBatch = (write: () => void) => void;

/** Bounds how long the first write of a batch waits. */
const batchMax = 64;

/** Writes the responses of one turn of the event loop together: one by one, each wakes its client, which is costly. */
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
