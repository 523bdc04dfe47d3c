import { Readable } from 'node:stream';

/** Media type of server-sent events. */
export const eventStreamType = 'text/event-stream';

interface ServerSentEvent {
  /** One line. */
  readonly event: string;
  /** One line; what a client sends as `Last-Event-ID` when it comes back. */
  readonly id?: string;
  /** One line. */
  readonly data: string;
}

/** Server-sent events to many clients at once (WHATWG HTML, 9.2). */
export interface EventStreams {
  /**
   * Makes the body of a response of events that have been written; it asks for the next when the client has taken the
   * last. Whoever opens it destroys it when nobody reads it, or no longer.
   */
  open(events: AsyncIterator<Buffer>): Readable;
}

/** Proxies and clients give up connections that are silent, most of them after a minute or half of one. */
const beatEveryMs = 15_000;
/** A comment, which clients pass over. */
const beat = Buffer.from(':\n\n');

/** Writes an event. */
export function writeEvent({ event, id, data }: ServerSentEvent): Buffer {
  return Buffer.from(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
}

/** Makes streams, which share one timer. */
export function createEventStreams(): EventStreams {
  const open = new Set<Readable>();
  let timer: NodeJS.Timeout | undefined;

  const beatAll = (): void => {
    // A client that has not taken the last beat needs no other.
    for (const stream of open) if (stream.readableLength === 0) stream.push(beat);
  };

  const forget = (stream: Readable): void => {
    open.delete(stream);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    open: (events) => {
      const stream = readableOf(events, () => forget(stream));
      open.add(stream);
      timer ??= setInterval(beatAll, beatEveryMs).unref();
      // The head of an answer is sent with its first bytes: who waits for that need not wait for an event.
      stream.push(beat);
      return stream;
    },
  };
}

function readableOf(events: AsyncIterator<Buffer>, onEnd: () => void): Readable {
  let waiting = false;
  const stream = new Readable({
    // One event is asked for at a time, whatever its size: a client that takes nothing costs no memory.
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
