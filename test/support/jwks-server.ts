import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A host of a JSON Web Key Set that can rotate its keys, misbehave, go down and come back. */
export interface JwksServer {
  readonly url: string;
  /** What the set holds now. */
  keys: readonly object[];
  /** How a request is answered; `undefined` sends the set. */
  answer: Answer | undefined;
  /** How many requests have come. */
  readonly requests: number;
  /** Resolves when this many requests have come. */
  asked(times: number): Promise<void>;
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
}

/** Takes a request and never answers it. */
export const hang: Answer = () => undefined;

/** Answers with a status and a body. */
export function fixed(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

/** Starts the host on a free port of the loopback interface. */
export async function startJwksServer(keys: readonly object[] = []): Promise<JwksServer> {
  let requests = 0;
  const waiting = new Set<() => void>();
  const http = createServer((request, response) => {
    requests += 1;
    for (const look of waiting) look();
    if (host.answer !== undefined) host.answer(request, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: host.keys }));
  });
  const listen = (port: number) => new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = http.address() as AddressInfo;

  const host: JwksServer = {
    url: `http://127.0.0.1:${port}/.well-known/jwks.json`,
    keys,
    answer: undefined,
    get requests() {
      return requests;
    },
    asked: (times) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (requests < times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
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
