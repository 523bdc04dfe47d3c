import { exchange } from '@service/http/testing';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { makeApiKey } from '../../src/accounts/keys/api-key.ts';
import { within } from '../support/running-time.ts';
import { adminKey, useServer } from '../support/server.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const server = useServer();

const idOf = async (given?: string): Promise<string> => {
  const ping = server.rest('get', '/ping');
  if (given !== undefined) ping.set('X-Request-Id', given);
  return (await ping).headers['x-request-id'] ?? '';
};

describe('X-Request-Id', () => {
  it("is the caller's when it has 1 to 128 valid characters", async () => {
    for (const id of ['a', '0', '-', '_', '.', '..', 'A-Z.a-z_0-9', 'x'.repeat(128), 'null']) {
      expect(await idOf(id)).toBe(id);
    }
    expect(await idOf('  a  ')).toBe('a');
  });

  it('is generated when the caller sends none, an invalid one or a credential', async () => {
    const invalid = [
      '',
      ' ',
      'x'.repeat(129),
      'a b',
      'a/b',
      'a:b',
      'a,b',
      'a"b',
      '{}',
      'é',
      '<b>',
      makeApiKey(),
      `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl`,
      'a\tb',
      '%0A',
      'a=b',
    ];
    for (const id of [undefined, ...invalid]) expect([id, await idOf(id)]).toEqual([id, expect.stringMatching(uuid)]);
  });

  it('is generated when the caller sends two', async () => {
    const [response] = await exchange(
      server.url,
      'GET /livez HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\r\nX-Request-Id: a\r\nConnection: close\r\n\r\n',
    );
    expect(response?.headers['x-request-id']).toMatch(uuid);
  });

  it('is unique for each request', async () => {
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => idOf()))).size).toBe(20);
  });

  it.each([
    [200, 'get', '/v1/ping'],
    [401, 'get', '/v1/ping'],
    [404, 'get', '/v1/nothing'],
    [404, 'get', '/nothing'],
    [405, 'put', '/v1/ping'],
    [400, 'get', '/v1/api/academics/programs/abc'],
    [415, 'post', '/v1/api/academics/programs'],
    [200, 'get', '/livez'],
    [200, 'head', '/v1/ping'],
  ] as const)('is on a %i too', async (status, method, path) => {
    const key = status === 401 ? '' : adminKey;
    const response = await supertest(server.url)
      [method](path)
      .set({ 'x-api-key': key, 'X-Request-Id': 'mine' })
      .send('x');
    expect([response.status, response.headers['x-request-id']]).toEqual([status, 'mine']);
  });

  it('is on the log lines of the request', async () => {
    await server.rest('get', '/ping').set('X-Request-Id', 'seen-in-the-log');
    await within(1_000, () =>
      expect(server.logged.map((line) => JSON.parse(line).requestId)).toContain('seen-in-the-log'),
    );
  });
});
