import { connect } from 'node:net';
import { exchange } from '@service/http/testing';
import { describe, expect, it } from 'vitest';
import { within } from '../support/running-time.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer();

interface Request {
  readonly line?: string;
  readonly key?: string;
  readonly type?: string;
  readonly body?: string;
  readonly chunked?: boolean;
}

const programs = 'POST /v1/api/academics/programs';
const large = 'x'.repeat(300_000);

function raw({
  line = programs,
  key = adminKey,
  type = 'application/json',
  body = '',
  chunked = false,
}: Request): string {
  return [
    `${line} HTTP/1.1`,
    'Host: localhost',
    `x-api-key: ${key}`,
    `Content-Type: ${type}`,
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
    '',
    chunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body,
  ].join('\r\n');
}

const ping = ['GET /v1/ping HTTP/1.1', 'Host: localhost', `x-api-key: ${adminKey}`, 'Connection: close', '', ''].join(
  '\r\n',
);

describe('a connection', () => {
  it.each([
    [401, { key: 'nonsense', body: large }],
    [404, { line: 'POST /v1/nothing', body: large }],
    [405, { line: 'PUT /v1/ping', body: large }],
    [413, { body: large }],
    [413, { body: large, chunked: true }],
    [415, { type: 'text/plain', body: large }],
    [415, { type: 'text/plain', body: large, chunked: true }],
    [400, { body: '{' }],
    [200, { line: 'GET /v1/ping', body: large }],
  ])('stays usable after a %i response whose request body was not read: %j', async (status, request: Request) => {
    const responses = await exchange(server.url, raw(request), ping);

    expect(responses.map((response) => response.status)).toEqual([status, 200]);
    expect(responses[1]?.body).toBe('{"status":"ok"}');
  });

  it('responds to pipelined requests in order', async () => {
    const create = raw({ body: '{"name":"Physics","duration":"4 Years"}' });
    const list = raw({ line: 'GET /v1/api/academics/programs?size=0' });
    const responses = await exchange(server.url, create, list, create, ping);
    expect(responses.map((response) => response.status)).toEqual([201, 400, 201, 200]);
  });

  it('is closed when too many requests are pipelined on it', async () => {
    const responses = await exchange(server.url, raw({ line: 'GET /v1/ping' }).repeat(2_000));
    expect(responses.length).toBeLessThan(100);
    expect((await server.rest('get', '/ping')).status).toBe(200);
  });

  it('creates nothing and logs no failure when it is cut in the middle of a body', async () => {
    const count = async () => (await server.rest('get', '/api/academics/programs')).body.count;
    const before = await count();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(raw({ body: '{"name":"Physics","duration":"4 Years"}' }).slice(0, -1), () => socket.destroy());
    });
    const requestId = /"path":"\/v1\/api\/academics\/programs"/;
    await within(1_000, () => expect(server.logged.filter((line) => requestId.test(line)).length).toBeGreaterThan(0));

    expect(await count()).toBe(before);
    expect(server.logged.filter((line) => line.includes('request failed'))).toEqual([]);
  });
});
