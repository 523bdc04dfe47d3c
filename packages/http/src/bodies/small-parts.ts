import type { IncomingMessage } from 'node:http';
import { createReadsPerTurn } from '../limits/reads-per-turn.ts';
import { createSmallParts, joinedBytes } from './joined-parts.ts';

/** An unfinished body. */
interface Body {
  readonly read: () => void;
  readonly stop: () => void;
  readonly isOver: () => boolean;
}

/** Connections with bodies in chunks that are read in one turn of the event loop, at most: each read may take 7 ms. */
const readsMax = 8;
/** For so long connections are read that send nothing, while others wait. */
const idleMs = 2;

const reads = createReadsPerTurn(readsMax);
/** Those that are read as soon as something arrives. */
const reading = new Set<Body>();
let waiting: Body[] = [];
let hasRead = false;
let isMeasuring = false;
let isScheduled = false;

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  if (hasRead || isMeasuring || reading.size === 0) setImmediate(takeTurn);
  else setTimeout(takeTurn, idleMs);
}

/** Ends the reads of a turn, and lets other connections be read. */
function takeTurn(): void {
  isScheduled = false;
  if (isMeasuring && hasRead) reads.end();
  isMeasuring = false;
  hasRead = false;
  waiting = waiting.filter(({ isOver }) => !isOver());
  if (waiting.length === 0) return;
  const count = reads.begin();
  isMeasuring = true;
  if (reading.size + waiting.length > count) {
    for (const body of reading) body.stop();
    waiting.push(...reading);
    reading.clear();
  }
  const now = waiting.slice(0, count - reading.size);
  waiting = waiting.slice(now.length);
  for (const body of now) {
    reading.add(body);
    body.read();
  }
  schedule();
}

/**
 * Joins small parts of a body that arrive together. Each takes some 400 bytes beside its own, and the client chooses how
 * many there are: with a byte in each chunk, what is read at once would take sixty times as much. What arrives alone takes
 * no more than by itself.
 *
 * Few such bodies are read at a time. In one turn of the event loop libuv reads all connections that have something, each
 * read may have ten thousand chunks, in 7 ms, and thousands of clients can send them at the same moment.
 */
export function joinSmallParts(request: IncomingMessage): void {
  const push = request.push.bind(request);
  const small = createSmallParts();
  const read = request._read.bind(request);
  const { socket } = request;
  let size = 0;
  let hasBegun = false;
  const body: Body = {
    read: () => read(size),
    stop: () => socket.pause(),
    isOver: () => request.complete || request.destroyed,
  };
  request.once('close', () => reading.delete(body));

  const flush = (): void => {
    const part = small.take();
    if (part !== undefined && !request.destroyed) push(part);
  };

  request.push = (part: unknown): boolean => {
    hasBegun = true;
    hasRead = true;
    reading.delete(body);
    if (!Buffer.isBuffer(part) || part.length >= joinedBytes) {
      flush();
      push(part);
      return false;
    }
    if (!small.hasRoomFor(part)) flush();
    // What has arrived by then is handed on, though the rest of the body may come much later.
    if (small.length() === 0) setImmediate(flush);
    small.add(part);
    return false;
  };

  request._read = (wanted) => {
    size = wanted;
    // The first read is that of the head.
    if (!hasBegun) read(size);
    else if (!reading.has(body) && !waiting.includes(body)) {
      waiting.push(body);
      schedule();
    }
  };
}
