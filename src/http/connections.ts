import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** An open connection, and the answer that was asked for last on it. */
interface Connection {
  answer?: ServerResponse;
  /** Requests that wait for the answer to the one before them. */
  queued: number;
}

/** The connections of a server that are open. */
export interface Connections {
  readonly sockets: () => readonly Duplex[];
  /** The answer that was asked for last on a connection; it may have been sent. */
  readonly lastResponse: (socket: Duplex) => ServerResponse | undefined;
  /** The last answer of each connection that is not done with it. */
  readonly inFlight: () => readonly ServerResponse[];
  /**
   * Hands over the requests of each connection one at a time. A client may send many before it has the first response
   * (pipelining): Node emits them all at once, and of those that wait for their turn it does not tell when their client
   * is gone. Whatever they held, such as a slot of the gate, they would hold for ever.
   */
  readonly inTurn: (handler: RequestListener) => RequestListener;
}

/** A connection that sends more requests than this ahead of their responses is closed: each takes some 4 kB. */
const queuedMax = 64;

/** Keeps in view which connections are open. It costs a request no more than a look-up: most are answered at once. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Duplex, Connection>();
  server.on('connection', (socket: Duplex) => {
    open.set(socket, { queued: 0 });
    socket.once('close', () => open.delete(socket));
  });
  return {
    sockets: () => [...open.keys()],
    lastResponse: (socket) => open.get(socket)?.answer,
    inFlight: () =>
      [...open.values()].flatMap(({ answer }) => (answer === undefined || answer.destroyed ? [] : answer)),
    inTurn: (handler) => (request, response) => {
      const connection = open.get(request.socket);
      const before = connection?.answer;
      if (connection !== undefined) connection.answer = response;
      // Node gives a response its socket when the one before it has been sent.
      if (connection === undefined || before === undefined || response.socket !== null) {
        handler(request, response);
        return;
      }
      connection.queued += 1;
      if (connection.queued > queuedMax) {
        request.socket.destroy();
        return;
      }
      before.once('close', () => {
        connection.queued -= 1;
        // Without a socket now, it never gets one: the connection has ended.
        if (response.socket !== null) handler(request, response);
      });
    },
  };
}
