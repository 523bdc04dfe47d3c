import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Connection {
  lastResponse?: ServerResponse;
  queued: number;
}

export interface Connections {
  readonly sockets: () => readonly Duplex[];
  readonly lastResponse: (socket: Duplex) => ServerResponse | undefined;
  readonly isResponding: (socket: Duplex) => boolean;
  /** The last response of each connection, unless it is complete. */
  readonly inFlight: () => readonly ServerResponse[];
  /** One request of a connection at a time: Node emits pipelined ones at once, but no disconnect of those that wait. */
  readonly inTurn: (handler: RequestListener) => RequestListener;
}

/** A connection that sends more requests than this ahead of their responses is closed: each takes some 4 kB. */
const queuedMax = 64;

export function trackConnections(server: Server): Connections {
  const open = new Map<Duplex, Connection>();
  server.on('connection', (socket: Duplex) => {
    open.set(socket, { queued: 0 });
    socket.once('close', () => open.delete(socket));
  });
  return {
    sockets: () => [...open.keys()],
    lastResponse: (socket) => open.get(socket)?.lastResponse,
    isResponding: (socket) => open.get(socket)?.lastResponse?.destroyed === false,
    inFlight: () =>
      [...open.values()].flatMap(({ lastResponse: last }) => (last === undefined || last.destroyed ? [] : last)),
    inTurn: (handler) => (request, response) => {
      const connection = open.get(request.socket);
      const previous = connection?.lastResponse;
      if (connection !== undefined) connection.lastResponse = response;
      // Node gives a response its socket when the one before it has been sent.
      if (connection === undefined || previous === undefined || response.socket !== null) {
        handler(request, response);
        return;
      }
      connection.queued += 1;
      if (connection.queued > queuedMax) {
        request.socket.destroy();
        return;
      }
      previous.once('close', () => {
        connection.queued -= 1;
        // Without a socket now, it never gets one: the connection has ended.
        if (response.socket !== null) handler(request, response);
      });
    },
  };
}
