import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const query = '{ ping { status } }';
const pong = { data: { ping: { status: 'ok' } } };

describe('ping', () => {
  it('answers ok, and asks the database nothing but who is there', async () => {
    await server.graphql(query);
    server.statements.length = 0;

    const answer = await server.graphql(query);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(pong);
    expect(server.statements).toEqual([]);
  });

  it.each([
    ['a guest', { role: 'guest' }],
    ['a read-only key', { role: 'viewer', readOnly: true }],
    ['a user who is disabled', { role: 'viewer', user: 'gone', disabled: true }],
  ] as const)('answers %s', async (_who, fields) => {
    expect((await server.graphql(query, {}, await makeKey(server.database, fields))).body).toEqual(pong);
  });
});
