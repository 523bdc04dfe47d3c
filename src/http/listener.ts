import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { StartupError } from '../errors.ts';
import { answerMalformed, requireHost } from './malformed.ts';

/** A server that listens. */
export interface Listener {
  /** `http://HOST:PORT`, with the port that was really taken. */
  readonly url: string;
  /** Takes no more requests, lets those under way finish, then ends them. */
  close(): Promise<void>;
}

/** Requests under way get this long to finish when the process stops (`contract.md` 9). */
const graceMs = 9_000;
/** A client that needs longer to send its headers, or a whole request, is slow on purpose. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;

/**
 * Listens for requests.
 *
 * @param port 0 picks a free one.
 * @throws StartupError when the address cannot be had.
 */
export async function listen(handler: RequestListener, host: string, port: number): Promise<Listener> {
  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs, requireHostHeader: false },
    requireHost(handler),
  );
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1); Node would refuse it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  answerMalformed(server);
  const close = closing(server);
  const taken = await bind(server, host, port);
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${taken}`, close };
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new StartupError(refusal(cause, host, port), { cause })),
    );
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function refusal({ code }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `PORT ${port} is in use on ${host}: the service may be running already. Stop it, or set PORT to another.`;
    case 'EACCES':
      return `PORT ${port} may not be used by this user: set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is not an address of this machine.`;
    default:
      return `HOST ${host} and PORT ${port} cannot be listened on (${code}).`;
  }
}

/**
 * Makes the end of a server. Answers under way say that they are the last on their connection, so that no client asks
 * on it again, and none is waited for while it keeps the connection for later.
 */
function closing(server: Server): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  const isLast = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_request, response) => {
    underWay.add(response);
    if (!server.listening) isLast(response);
    response.once('close', () => {
      underWay.delete(response);
      if (!server.listening) server.closeIdleConnections();
    });
  });
  return () =>
    new Promise((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      server.closeIdleConnections();
      for (const response of underWay) isLast(response);
    });
}
