import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of a JSON Web Key Set that can rotate its keys, misbehave, go down and come back. */
export interface JwksServer {
  readonly url: string;
  /** The current key set. */
  keys: readonly object[];
  /** Overrides the response; `undefined` sends the key set. */
  handler: Handler | undefined;
  /** Requests received. */
  readonly requests: number;
  /** Resolves once this many requests have been received. */
  waitForRequests(count: number): Promise<void>;
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
}

/** Never responds. */
export const hang: Handler = () => undefined;

/** Responds with a status and a body. */
export function fixed(status: number, body: string, headers: Record<string, string> = {}): Handler {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

/** Starts the server on a free loopback port. */
export async function startJwksServer(keys: readonly object[] = []): Promise<JwksServer> {
  let requests = 0;
  const waiting = new Set<() => void>();
  const http = createServer((request, response) => {
    requests += 1;
    for (const check of waiting) check();
    if (host.handler !== undefined) host.handler(request, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: host.keys }));
  });
  const listen = (port: number) => new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = http.address() as AddressInfo;

  const host: JwksServer = {
    url: `http://127.0.0.1:${port}/.well-known/jwks.json`,
    keys,
    handler: undefined,
    get requests() {
      return requests;
    },
    waitForRequests: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (requests < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    goDown: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
    comeUp: () => listen(port),
  };
  return host;
}
