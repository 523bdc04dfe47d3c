import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** An open connection, and the answer that was asked for last on it. */
interface Connection {
  answer?: ServerResponse;
}

/** The connections of a server that are open. */
export interface Connections {
  readonly sockets: () => readonly Duplex[];
  /** The answer that was asked for last on a connection; it may have been sent. */
  readonly lastAnswer: (socket: Duplex) => ServerResponse | undefined;
  /** The last answer of each connection that is not done with it. */
  readonly underWay: () => readonly ServerResponse[];
}

/** Keeps in view which connections are open. It costs a request no more than a look-up: most are answered at once. */
export function followConnections(server: Server): Connections {
  const open = new Map<Duplex, Connection>();
  server.on('connection', (socket: Duplex) => {
    open.set(socket, {});
    socket.once('close', () => open.delete(socket));
  });
  server.prependListener('request', (request, response) => {
    const connection = open.get(request.socket);
    if (connection !== undefined) connection.answer = response;
  });
  return {
    sockets: () => [...open.keys()],
    lastAnswer: (socket) => open.get(socket)?.answer,
    underWay: () =>
      [...open.values()].flatMap(({ answer }) => (answer === undefined || answer.destroyed ? [] : answer)),
  };
}
