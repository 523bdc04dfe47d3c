import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { madeDataDir } from '@service/embedded-postgres/testing';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseForTest } from '../support/database.ts';
import { beginCreate, createdBody, startProcess } from '../support/process.ts';
import { within } from '../support/running-time.ts';
import { adminKey } from '../support/server.ts';

// A process takes seconds to start, and may take ten to stop: other ways to stop are in test/system.
async function finish(request: ClientRequest): Promise<IncomingMessage> {
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  request.end(createdBody);
  const [response] = await answered;
  response.resume();
  return response;
}

describe('SIGTERM, SIGINT or SIGHUP', () => {
  it('lets requests in flight finish and rejects others with 503, also when a closed terminal sends SIGHUP twice', async () => {
    const database = await databaseForTest();
    const { child, url: listening, ended } = startProcess({ DATABASE_URL: database.url });
    const url = await listening;
    const inFlight = await beginCreate(url);

    child.kill('SIGHUP');

    const message = 'The service is shutting down.';
    await within(1_000, async () => {
      const { status, body, headers } = await supertest(url).get('/readyz').set('Connection', 'keep-alive');
      expect({ status, body }).toEqual({ status: 503, body: { message } });
      expect(headers['connection']).toBe('close');
    });
    await new Promise((resolve) => setTimeout(resolve, 150)); // Later than a duplicate of the same signal.
    child.kill('SIGHUP');
    expect((await supertest(url).get('/livez')).status).toBe(200);
    const rest = await supertest(url).get('/v1/ping').set('x-api-key', adminKey);
    expect({ status: rest.status, body: rest.body }).toEqual({ status: 503, body: { message } });
    expect(rest.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    const graphql = await supertest(url)
      .post('/graphql')
      .set('x-api-key', adminKey)
      .send({ query: '{ ping { status } }' });
    expect({ status: graphql.status, body: graphql.body }).toEqual({
      status: 503,
      body: { errors: [{ message, extensions: { code: 'UNAVAILABLE' } }] },
    });
    const created = await finish(inFlight);
    expect(created.statusCode).toBe(201);
    expect(created.headers.connection).toBe('close');
    expect(await ended).toBe(0);
    expect(await database.query('SELECT name FROM programs')).toEqual([{ name: 'Physics' }]);
  });

  it('makes /readyz fail, and stops the embedded PostgreSQL too, whatever connections have left HTTP', async () => {
    const dataDir = await madeDataDir();
    const { child, url: listening, ended, stdoutLines } = startProcess({ DATA_DIR: dataDir });
    const url = await listening;
    const { hostname, port } = new URL(url);
    for (const head of [
      // An upgrade that is not granted, a tunnel, and a WebSocket.
      ['GET /livez HTTP/1.1', 'Connection: Upgrade', 'Upgrade: h2c'],
      ['CONNECT localhost:80 HTTP/1.1'],
      [
        'GET /graphql HTTP/1.1',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Protocol: graphql-transport-ws',
      ],
    ]) {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined).write([...head, 'Host: localhost', '', ''].join('\r\n'));
      await once(socket, 'data');
    }

    child.kill('SIGINT');

    await within(1_000, async () => expect((await supertest(url).get('/readyz')).status).toBe(503), 20);
    expect(await ended).toBe(0);
    expect(stdoutLines.at(-1)).toBe('The embedded PostgreSQL was stopped.');
    expect(existsSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false);
  });
});

describe('an uncaught exception or an unhandled rejection', () => {
  it('ends the process with a fatal log line, though requests are in flight', async () => {
    const database = await databaseForTest();
    const onSignal = `data:text/javascript,process.on('SIGUSR2', () => { Promise.reject(new Error("unforeseen")) })`;
    const { child, url, ended, stderr } = startProcess({ DATABASE_URL: database.url }, { imports: [onSignal] });
    await beginCreate(await url);

    child.kill('SIGUSR2');

    expect(await ended).toBe(1);
    expect(JSON.parse(stderr().trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      level: 60,
      msg: 'uncaught exception: exiting',
      err: { type: 'Error', message: 'unforeseen' },
    });
  });
});
