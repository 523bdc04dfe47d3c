import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer();

const query = '{ ping { status } }';
const pong = { data: { ping: { status: 'ok' } } };

describe('ping', () => {
  it('returns ok without a statement once the caller is cached', async () => {
    await server.graphql(query);
    server.statements.length = 0;

    const response = await server.graphql(query);

    expect(response.status).toBe(200);
    expect(response.body).toEqual(pong);
    expect(server.statements).toEqual([]);
  });

  it.each([
    ['a guest', { role: 'guest' }],
    ['a read-only key', { role: 'viewer', readOnly: true }],
    ['a user who is disabled', { role: 'viewer', user: 'gone', disabled: true }],
  ] as const)('returns ok to %s', async (_who, fields) => {
    expect((await server.graphql(query, {}, await server.makeKey(fields))).body).toEqual(pong);
  });
});
