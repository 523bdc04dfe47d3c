import { Readable } from 'node:stream';
import { createTurns } from '../limits/turns.ts';

export const eventStreamType = 'text/event-stream';

interface ServerSentEvent {
  /** Name of the event; this field, like each, is one line. */
  readonly event: string;
  readonly id?: string;
  readonly data: string;
}

/** Server-sent events to many clients at once (WHATWG HTML, 9.2). */
export interface EventStreams {
  /** Pulls the next event once the client has read the last one. The caller destroys it when it is no longer read. */
  open(events: AsyncIterator<Buffer>): Readable;
}

/** Most proxies and clients close idle connections after 30 or 60 seconds. */
const heartbeatMs = 15_000;
/** Heartbeats that are sent in one turn of the event loop: there may be ten thousand clients. */
const heartbeatsPerTurn = 100;
/** A comment, which clients ignore. */
const heartbeat = Buffer.from(':\n\n');

/** The bytes of one server-sent event (HTML standard, 9.2). */
export function writeEvent({ event, id, data }: ServerSentEvent): Buffer {
  return Buffer.from(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
}

/** Streams of events to many clients, with a heartbeat for those that are silent. */
export function createEventStreams(): EventStreams {
  const open = new Set<Readable>();
  let timer: NodeJS.Timeout | undefined;

  const turnFor = createTurns(heartbeatsPerTurn);

  const sendHeartbeats = async (): Promise<void> => {
    for (const stream of open) {
      await turnFor(1);
      if (open.has(stream) && stream.readableLength === 0) stream.push(heartbeat);
    }
  };

  const remove = (stream: Readable): void => {
    open.delete(stream);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    open: (events) => {
      const stream = readableOf(events, () => remove(stream));
      open.add(stream);
      timer ??= setInterval(() => void sendHeartbeats(), heartbeatMs).unref();
      // Response headers are sent with the first bytes: clients should not wait for the first event to get them.
      stream.push(heartbeat);
      return stream;
    },
  };
}

function readableOf(events: AsyncIterator<Buffer>, onEnd: () => void): Readable {
  let waiting = false;
  const stream = new Readable({
    // Reads one event at a time, of any size: a client that reads nothing costs no memory.
    highWaterMark: 1,
    read: () => {
      if (waiting) return;
      waiting = true;
      events.next().then(
        ({ done, value }) => {
          waiting = false;
          if (done) onEnd();
          stream.push(done ? null : value);
        },
        (problem) => stream.destroy(problem),
      );
    },
    destroy: (problem, callback) => {
      onEnd();
      void events.return?.();
      callback(problem);
    },
  });
  return stream;
}
