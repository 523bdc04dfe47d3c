import type { Server } from 'node:http';
import { Socket } from 'node:net';

/** Connections that are read for the first time in one turn of the event loop. */
const readPerTurn = 32;
/** CPU time, in microseconds, for which more are accepted before that: hundreds of connections. */
const acceptMax = 100_000;

const cpuTime = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/**
 * Reads new connections in turns, after those behind them have been accepted: Node accepts one in each turn of the event loop,
 * and the last of thousands, maybe a probe, would wait until the requests of all others have been handled. The oldest and the
 * newest are read first.
 */
export function readInTurns(server: Server): void {
  const unread: Socket[] = [];
  let isAccepting = false;
  let acceptUntil = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(takeTurn);
  };

  const takeTurn = (): void => {
    isScheduled = false;
    const now = cpuTime();
    if (!isAccepting || now > acceptUntil) {
      const oldest = unread.splice(0, readPerTurn / 2);
      for (const socket of [...oldest, ...unread.splice(-readPerTurn / 2)]) socket.resume();
      acceptUntil = now + acceptMax;
    }
    isAccepting = false;
    if (unread.length > 0) schedule();
  };

  server.on('connection', (socket: unknown) => {
    // Connections within the process come from those that have been read.
    if (!(socket instanceof Socket)) return;
    if (unread.length === 0) acceptUntil = cpuTime() + acceptMax;
    isAccepting = true;
    unread.push(socket);
    // Node starts to read in the tick of this event.
    process.nextTick(() => socket.pause());
    schedule();
  });
}
