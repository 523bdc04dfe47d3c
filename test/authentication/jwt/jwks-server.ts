import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of a JSON Web Key Set that can rotate its keys, misbehave, go down and come back. */
export interface JwksServer {
  readonly url: string;
  /** The current key set. */
  keys: readonly object[];
  /** Overrides the response; `undefined` sends the key set. */
  handler: RequestListener | undefined;
  /** Requests received. */
  readonly requests: number;
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
}

/** Starts the server on a free loopback port. */
export async function startJwksServer(keys: readonly object[] = []): Promise<JwksServer> {
  let requests = 0;
  const http = createServer((request, response) => {
    requests += 1;
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
    goDown: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
    comeUp: () => listen(port),
  };
  return host;
}
