import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { handleMalformed, trackConnections } from '../../src/server/connections.ts';
import { exchange } from '../support/raw.ts';

/** Starts a server with its own timeouts; closed when the test ends. */
async function listening(own: Server, handler: RequestListener = () => undefined): Promise<string> {
  const connections = trackConnections(own);
  own.on('request', connections.inTurn(handler));
  handleMalformed(own, connections);
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  onTestFinished(() => {
    own.closeAllConnections();
    own.close();
  });
  const address = own.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

describe('malformed HTTP', () => {
  it('adds no error to a response that has begun', async () => {
    const url = await listening(createServer(), (_request, response) => {
      response.setHeader('Content-Length', '10');
      response.write('half ');
    });
    const responses = await exchange(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'GARBAGE\r\n\r\n');
    expect(JSON.stringify(responses)).not.toContain('not valid HTTP');
  });

  it('gets no 408 when only the rest of a body does not arrive, after the response', async () => {
    const impatient = createServer({ headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 });
    const url = await listening(impatient, (_request, response) => {
      response.setHeader('Content-Length', '5');
      response.end('early');
    });
    expect(await exchange(url, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n')).toMatchObject([
      { status: 200 },
    ]);
  });
});

it('many connections that time out together are rejected in turns', async () => {
  const own = createServer();
  handleMalformed(own, trackConnections(own));
  const sockets = Array.from({ length: 300 }, () => new PassThrough());
  const problem = Object.assign(new Error('Too late.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  for (const socket of sockets) own.emit('clientError', problem, socket);
  const rejected = (): number => sockets.filter((socket) => socket.writableEnded).length;
  expect(rejected()).toBe(100);
  await expect.poll(rejected).toBe(sockets.length);
  for (const socket of sockets) {
    expect(String(socket.read())).toContain('HTTP/1.1 408');
    socket.destroy();
  }
});

it('an idle connection keeps no headers of its last request', async () => {
  const requests: IncomingMessage[] = [];
  const url = await listening(createServer(), (request, response) => {
    requests.push(request);
    response.end('done');
  });
  await (await fetch(url, { headers: { kept: 'not' } })).text();
  await expect.poll(() => requests.map(({ headers, rawHeaders }) => [headers, rawHeaders])).toEqual([[{}, []]]);
});
