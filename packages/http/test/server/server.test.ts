import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener, Server } from 'node:http';
import { StartupError } from '@service/errors';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Address, type HttpServer, startHttpServer } from '../../src/server/server.ts';

const hello: RequestListener = (_request, response) => {
  response.end('hello');
};

const silent = { onError: () => undefined };

function addressOf(host = '127.0.0.1', port = 0): Address {
  return { host, port, settings: { host: 'HOST', port: 'PORT' } };
}

async function listening(handler: RequestListener = hello, host = '127.0.0.1'): Promise<HttpServer> {
  const httpServer = await startHttpServer(handler, addressOf(host), silent);
  onTestFinished(() => httpServer.close());
  return httpServer;
}

describe('an HTTP server', () => {
  it('reports its URL with the free port that it got', async () => {
    const { url } = await listening();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(await (await fetch(url)).text()).toBe('hello');
  });

  it('listens on a host name', async () => {
    const { url } = await listening(hello, 'localhost');
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await fetch(url)).status).toBe(200);
  });

  it('reports to the operator which port is in use', async () => {
    const { url } = await listening();
    const port = Number(new URL(url).port);
    await expect(startHttpServer(hello, addressOf('127.0.0.1', port), silent)).rejects.toThrow(
      new StartupError(
        `PORT ${port} is in use on 127.0.0.1: the service may be running already. Stop it, or set PORT to another.`,
      ),
    );
  });

  it.each(['203.0.113.1', 'no-such-host.invalid'])(
    'reports to the operator that it cannot listen on HOST %s',
    async (host) => {
      const rejection = await startHttpServer(hello, addressOf(host), silent).catch((problem: unknown) => problem);
      expect(rejection).toBeInstanceOf(StartupError);
      expect(rejection).toMatchObject({ message: expect.stringMatching(/^HOST /) });
    },
  );
});

describe('a running HTTP server', () => {
  it('reports every error event and keeps serving', async () => {
    const reported: string[] = [];
    const httpServer = await startHttpServer(hello, addressOf(), {
      onError: ({ message }) => reported.push(message),
    });
    onTestFinished(() => httpServer.close());
    const server = await serverOf(httpServer);

    for (const message of ['accept EMFILE', 'accept ENOBUFS']) server.emit('error', new Error(message));

    expect(reported).toEqual(['accept EMFILE', 'accept ENOBUFS']);
    expect(await (await fetch(httpServer.url)).text()).toBe('hello');
  });
});

describe('an HTTP server that closes', () => {
  it('finishes the requests in flight with Connection: close, and then stops listening', async () => {
    const events = new EventEmitter();
    const httpServer = await startHttpServer(
      async (_request, response) => {
        events.emit('begun');
        await once(events, 'finish');
        response.end('finished');
      },
      addressOf(),
      silent,
    );
    const reply = fetch(httpServer.url);
    await once(events, 'begun');

    const closed = httpServer.close();
    events.emit('finish');

    const response = await reply;
    expect([response.headers.get('connection'), await response.text()]).toEqual(['close', 'finished']);
    await closed;
    await expect(fetch(httpServer.url)).rejects.toThrow();
  });

  it('closes a connection whose response had begun before', async () => {
    const events = new EventEmitter();
    const httpServer = await startHttpServer(
      async (_request, response) => {
        response.write('begun, ');
        await once(events, 'finish');
        response.end('finished');
      },
      addressOf(),
      silent,
    );
    const reply = await fetch(httpServer.url);

    const closed = httpServer.close();
    events.emit('finish');

    expect([reply.headers.get('connection'), await reply.text()]).toEqual(['keep-alive', 'begun, finished']);
    await closed;
  });

  it('sends Connection: close on kept-alive and on new connections', async () => {
    const httpServer = await startHttpServer(hello, addressOf(), silent);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const before = await request(httpServer.url, agent);

    const closed = httpServer.close(500);

    const reused = await request(httpServer.url, agent);
    const opened = await request(httpServer.url);
    expect(before.connection).toBe('keep-alive');
    expect(reused).toEqual({ status: 200, connection: 'close', port: before.port });
    expect(opened).toMatchObject({ status: 200, connection: 'close' });
    await closed;
  });

  it('does not wait for idle connections', async () => {
    const httpServer = await startHttpServer(hello, addressOf(), silent);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    await request(httpServer.url, agent);

    await httpServer.close();
  });
});

/** The underlying Node server, from its diagnostics channel when a request begins. */
async function serverOf({ url }: HttpServer): Promise<Server> {
  const begun = new Promise<unknown>((resolve) => {
    const channel = 'http.server.request.start';
    const onMessage = (message: unknown): void => {
      unsubscribe(channel, onMessage);
      resolve(message);
    };
    subscribe(channel, onMessage);
  });
  await (await fetch(url)).text();
  const { server } = Object(await begun);
  if (server instanceof Server) return server;
  throw new Error('The diagnostics channel had no server.');
}

/** Sends a request and reads the whole response; `port` is the local one. */
async function request(url: string, agent?: Agent) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).on('error', reject);
  });
  const { statusCode: status, headers, socket } = response;
  const { localPort: port } = socket;
  response.resume();
  await once(response, 'end');
  return { status, connection: headers.connection, port };
}
