import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener, Server } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';

const hello: RequestListener = (_request, response) => {
  response.end('hello');
};

const quiet = { onError: () => undefined };

async function listening(handler: RequestListener = hello, host = '127.0.0.1'): Promise<HttpServer> {
  const listener = await startHttpServer(handler, host, 0, quiet);
  onTestFinished(() => listener.close());
  return listener;
}

describe('a listener', () => {
  it('says where it is, with the port that was free', async () => {
    const { url } = await listening();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(await (await fetch(url)).text()).toBe('hello');
  });

  it('listens on a name, too', async () => {
    const { url } = await listening(hello, 'localhost');
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await fetch(url)).status).toBe(200);
  });

  it('tells the operator which port is in use', async () => {
    const { url } = await listening();
    const port = Number(new URL(url).port);
    await expect(startHttpServer(hello, '127.0.0.1', port, quiet)).rejects.toThrow(
      new StartupError(
        `PORT ${port} is in use on 127.0.0.1: the service may be running already. Stop it, or set PORT to another.`,
      ),
    );
  });

  it.each(['203.0.113.1', 'no-such-host.invalid'])('tells the operator that %s is not here', async (host) => {
    const refusal = await startHttpServer(hello, host, 0, quiet).catch((problem: unknown) => problem);
    expect(refusal).toBeInstanceOf(StartupError);
    expect(refusal).toMatchObject({ message: expect.stringMatching(/^HOST /) });
  });
});

describe('a listener that listens', () => {
  it('reports every error, the first too, and goes on', async () => {
    const reported: string[] = [];
    const listener = await startHttpServer(hello, '127.0.0.1', 0, { onError: ({ message }) => reported.push(message) });
    onTestFinished(() => listener.close());
    const server = await serverOf(listener);

    for (const message of ['accept EMFILE', 'accept ENOBUFS']) server.emit('error', new Error(message));

    expect(reported).toEqual(['accept EMFILE', 'accept ENOBUFS']);
    expect(await (await fetch(listener.url)).text()).toBe('hello');
  });
});

describe('a listener that closes', () => {
  it('lets the requests under way finish, each the last on its connection, and is gone then', async () => {
    const admission = new EventEmitter();
    const listener = await startHttpServer(
      async (_request, response) => {
        admission.emit('entered');
        await once(admission, 'open');
        response.end('finished');
      },
      '127.0.0.1',
      0,
      quiet,
    );
    const answer = fetch(listener.url);
    await once(admission, 'entered');

    const closed = listener.close();
    admission.emit('open');

    const response = await answer;
    expect([response.headers.get('connection'), await response.text()]).toEqual(['close', 'finished']);
    await closed;
    await expect(fetch(listener.url)).rejects.toThrow();
  });

  it('ends a connection whose answer had begun before', async () => {
    const admission = new EventEmitter();
    const listener = await startHttpServer(
      async (_request, response) => {
        response.write('begun, ');
        await once(admission, 'open');
        response.end('finished');
      },
      '127.0.0.1',
      0,
      quiet,
    );
    const answer = await fetch(listener.url);

    const closed = listener.close();
    admission.emit('open');

    expect([answer.headers.get('connection'), await answer.text()]).toEqual(['keep-alive', 'begun, finished']);
    await closed;
  });

  it('gives notice to who keeps a connection, and to who comes', async () => {
    const listener = await startHttpServer(hello, '127.0.0.1', 0, quiet);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const before = await ask(listener.url, agent);

    const closed = listener.close(500);

    const responseCache = await ask(listener.url, agent);
    const came = await ask(listener.url);
    expect(before.connection).toBe('keep-alive');
    expect(responseCache).toEqual({ status: 200, connection: 'close', port: before.port });
    expect(came).toMatchObject({ status: 200, connection: 'close' });
    await closed;
  });

  it('does not wait for connections on which nobody asks', async () => {
    const listener = await startHttpServer(hello, '127.0.0.1', 0, quiet);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    await ask(listener.url, agent);

    await listener.close();
  });
});

/** The server behind a listener, as Node tells of it when a request begins. */
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
  throw new Error('Node did not tell of the server.');
}

/** One request, whose answer is read to its end; the port is that from which it was sent. */
async function ask(url: string, agent?: Agent) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).on('error', reject);
  });
  const { statusCode: status, headers, socket } = response;
  const { localPort: port } = socket;
  response.resume();
  await once(response, 'end');
  return { status, connection: headers.connection, port };
}
