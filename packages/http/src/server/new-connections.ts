import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { endAccepting, noteAccepted } from '../limits/accepting.ts';
import { networkOf } from '../limits/rate-limit.ts';
import { createReadsPerTurn, startTimer } from '../limits/reads-per-turn.ts';
import { noteWaitingConnections } from '../limits/resting-turns.ts';

/** Connections that are read for the first time in one turn of the event loop, at most. */
const readMax = 32;
/** Milliseconds of CPU time for which connections are accepted between two such turns: hundreds of them. */
const acceptMs = 100;

/**
 * Reads new connections in turns, after those behind them have been accepted: Node accepts one in each turn of the event loop,
 * and the last of thousands, maybe a probe, would wait until the requests of all others have been handled. What is read at
 * once may be thousands of parts of a body: their time is measured, and others are accepted after it however long it was.
 */
export function readInTurns(server: Server): void {
  const unread = createUnread();
  const reads = createReadsPerTurn(readMax);
  let isReading = false;
  let isAccepting = false;
  let isOver = startTimer();
  let isScheduled = false;

  const schedule = (): void => {
    noteWaitingConnections();
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(takeTurn);
  };

  const beginReading = (): void => {
    isReading = true;
    endAccepting();
    const readPerTurn = reads.begin();
    for (let count = 0; count < readPerTurn; count += 1) unread.take(2 * count >= readPerTurn)?.resume();
  };

  const endReading = (): void => {
    reads.end();
    isReading = false;
    isOver = startTimer();
    if (isAccepting) noteAccepted();
  };

  const takeTurn = (): void => {
    isScheduled = false;
    if (isReading) endReading();
    else if (!isAccepting || isOver(acceptMs)) beginReading();
    isAccepting = false;
    if (isReading || !unread.isEmpty()) schedule();
  };

  server.on('connection', (socket: unknown) => {
    // Connections within the process come from those that have been read.
    if (!(socket instanceof Socket)) return;
    if (!isReading && unread.isEmpty()) isOver = startTimer();
    isAccepting = true;
    if (!isReading) noteAccepted();
    unread.add(socket);
    // Node starts to read in the tick of this event.
    process.nextTick(() => socket.pause());
    schedule();
  });
}

interface Unread {
  readonly isEmpty: () => boolean;
  readonly add: (socket: Socket) => void;
  readonly take: (newest: boolean) => Socket | undefined;
}

/** Networks take turns, so that thousands of connections of one do not delay another's; of each, the oldest and the newest. */
function createUnread(): Unread {
  const networks = new Map<string, Socket[]>();
  return {
    isEmpty: () => networks.size === 0,
    add: (socket) => {
      const network = networkOf(socket.remoteAddress ?? '');
      const sockets = networks.get(network);
      if (sockets === undefined) networks.set(network, [socket]);
      else sockets.push(socket);
    },
    take: (newest) => {
      for (const [network, sockets] of networks) {
        networks.delete(network);
        const socket = newest ? sockets.pop() : sockets.shift();
        if (sockets.length > 0) networks.set(network, sockets);
        return socket;
      }
      return undefined;
    },
  };
}
