import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { ended as gone, madeDataDir, serverPid } from '@service/embedded-postgres/testing';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientForTest, databaseForTest } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { within } from '../support/running-time.ts';
import { adminKey } from '../support/server.ts';

// A process takes seconds to start, and may take ten to stop.
const body = JSON.stringify({ name: 'Physics', duration: '4 Years' });

/** Starts a request whose body is still to be sent. */
async function beginCreate(url: string): Promise<ClientRequest> {
  const request = http.request(`${url}/v1/api/academics/programs`, {
    method: 'POST',
    headers: {
      'x-api-key': adminKey,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  request.on('error', () => undefined);
  request.flushHeaders();
  // The service has seen it.
  await once(request, 'continue');
  return request;
}

async function finish(request: ClientRequest): Promise<IncomingMessage> {
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  request.end(body);
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

  it('makes /readyz fail first while requests are still served, for STOP_NOTICE_MS', async () => {
    const database = await databaseForTest();
    const notice = 4_000;
    const {
      child,
      url: listening,
      ended,
    } = startProcess({
      DATABASE_URL: database.url,
      STOP_NOTICE_MS: String(notice),
    });
    const url = await listening;
    const ping = () => supertest(url).get('/v1/ping').set('x-api-key', adminKey);
    await ping();
    const sentAt = performance.now();

    child.kill('SIGTERM');

    await within(1_000, async () => expect((await supertest(url).get('/readyz')).status).toBe(503), 20);
    expect((await ping()).status).toBe(200);
    expect(await ended).toBe(0);
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(notice);
  });

  it.each([
    ['while it serves', true],
    ['while it starts', false],
  ])(
    'sent a second time %s ends the process at once, and leaves no embedded PostgreSQL behind',
    async (_when, serves) => {
      const dataDir = await madeDataDir();
      const { child, url: listening, ended } = startProcess({ DATA_DIR: dataDir });
      const file = path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
      listening.catch(() => undefined);
      if (serves) await beginCreate(await listening);
      else await within(20_000, async () => expect(await serverPid(dataDir)).toBeGreaterThan(0), 2);
      const pid = await serverPid(dataDir);
      child.kill('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 150)); // Later than a duplicate of the same signal.

      child.kill('SIGTERM');

      // A start may have ended at the first.
      expect(serves ? [1] : [0, 1]).toContain(await ended);
      expect(existsSync(file)).toBe(false);
      // It removes the file, then ends.
      await gone(pid);
    },
  );

  it('stops the service while it starts', async () => {
    const database = await databaseForTest(null);
    const client = await clientForTest(database.url);
    // As another instance does while it migrates.
    await client.query('SELECT pg_advisory_lock($1)', [0x75_61_73_31]);
    const { child, stdoutLines, ended, stderr } = startProcess({ DATABASE_URL: database.url });
    const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), $1)';
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await within(20_000, async () =>
      expect(await database.query(`SELECT 1 ${others}`, [rows[0]?.pid])).not.toHaveLength(0),
    );

    child.kill('SIGTERM');

    expect(await ended).toBe(0);
    expect(
      stdoutLines.filter((line) => !line.startsWith('Migration 20261125000000_init waits for another instance')),
    ).toEqual([]);
    expect(stderr()).toBe('');
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
