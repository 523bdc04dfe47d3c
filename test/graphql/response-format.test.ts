import supertest from 'supertest';
import { expect, it } from 'vitest';
import { adminKey, useSharedServer } from '../support/server.ts';

const server = useSharedServer();
const json = 'application/json';
const graphql = 'application/graphql-response+json';
const events = 'text/event-stream';

it.each([
  ['{ nothing }', undefined, 400, json],
  ['{ nothing }', json, 200, json],
  ['{ nothing }', graphql, 400, graphql],
  ['{ ping { status } }', json, 200, json],
  ['{ ping { status } }', graphql, 200, graphql],
  ['{ ping { status } }', events, 200, events],
  ['{ program(id: 42) { id } }', graphql, 200, graphql],
])('%s with Accept: %s gets %i in %s, cached or not', async (query, accept, status, type) => {
  for (const _ of ['first', 'again', 'from the cache']) {
    const sent = server.graphql(query);
    const response = await (accept === undefined ? sent : sent.set('Accept', accept));

    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toMatch(new RegExp(`^${type.replace('+', '\\+')}(?:; charset=utf-8)?$`));
    expect(response.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'x-api-key, authorization' });
  }
});

it('an empty name of an operation is none, by POST and by GET, prepared or not', async () => {
  const query = 'query Named { ping { status } }';
  const body = { data: { ping: { status: 'ok' } } };
  for (const _ of ['first', 'again', 'from the cache'])
    expect((await server.graphql('').send({ query, operationName: '' })).body).toEqual(body);
  const address = `/graphql?${new URLSearchParams({ query, operationName: '' })}`;
  expect((await supertest(server.url).get(address).set('x-api-key', adminKey)).body).toEqual(body);
  const other = await server.graphql('').send({ query, operationName: 'Other' });
  expect(other.body.errors[0].message).toBe('Could not determine what operation to execute.');
});
