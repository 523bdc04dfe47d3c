import express from 'express';
import { pino } from 'pino';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { assignRequestId, decodablePath } from '../../src/requests/request.ts';
import { exchange } from '../support/raw.ts';
import { useTinyServer } from '../support/tiny-server.ts';

it.each([
  ['/a/%zz?page=2&q=%zz', '/a/%25zz?page=2&q=%zz'],
  ['/a/%zz', '/a/%25zz'],
  ['/a/%41?q=1', '/a/%41?q=1'],
])('escapes what cannot be decoded in a path, and keeps its query: %s', async (sent, read) => {
  const app = express().use(decodablePath, (request, response) => {
    response.json(request.url);
  });

  expect((await supertest(app).get(sent)).body).toBe(read);
});

describe('X-Request-Id', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const mask = (text: string): string => text.replace('secret', '[credential]');
  const server = useTinyServer((app) => {
    app.use(assignRequestId(pino({ enabled: false }), mask), (_request, response) => void response.send());
  });
  const idOf = async (given?: string): Promise<unknown> =>
    (
      await supertest(server.url)
        .get('/')
        .set(given === undefined ? {} : { 'X-Request-Id': given })
    ).headers['x-request-id'];

  it("is the caller's when it has 1 to 128 valid characters", async () => {
    for (const id of ['a', '0', '-', '_', '.', '..', 'A-Z.a-z_0-9', 'x'.repeat(128), 'null']) {
      expect(await idOf(id)).toBe(id);
    }
    expect(await idOf('  a  ')).toBe('a');
  });

  it('is generated, and unique, when the caller sends none, an invalid one, a credential or two', async () => {
    const texts = ['', ' ', 'x'.repeat(129), 'a b', 'a/b', 'a:b', 'a,b', 'a"b', '{}', 'é', '<b>', 'a\tb', '%0A', 'a=b'];
    const ids = await Promise.all([undefined, undefined, ...texts, 'a-secret-key'].map(idOf));
    for (const id of ids) expect(id).toMatch(uuid);
    expect(new Set(ids).size).toBe(ids.length);
    const twice = 'GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\r\nX-Request-Id: a\r\nConnection: close\r\n\r\n';
    expect((await exchange(server.url, twice))[0]?.headers['x-request-id']).toMatch(uuid);
  });

  it.each([
    ['x-api-key', 'a.key-of_some-operator-24'],
    ['x-api-key', 'Bearer  a.key-of_some-operator-24 '],
    ['authorization', 'Bearer a.key-of_some-operator-24'],
  ])('never is the credential of its request, nor has it: %s: %s', async (name, value) => {
    const sent = async (id: string) =>
      (await supertest(server.url).get('/').set(name, value).set('x-request-id', id)).headers['x-request-id'];
    for (const id of ['a.key-of_some-operator-24', 'of-a.key-of_some-operator-24-1'])
      expect(await sent(id)).toMatch(uuid);
    for (const id of ['a', 'another.key-of_some-operator']) expect(await sent(id)).toBe(id);
  });

  it('may have what was sent in place of a key, if that is too short for one', async () => {
    const { headers } = await supertest(server.url).get('/').set('x-api-key', 'wrong').set('x-request-id', 'wrong-1');
    expect(headers['x-request-id']).toBe('wrong-1');
  });
});
