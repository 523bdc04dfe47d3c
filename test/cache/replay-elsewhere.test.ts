import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openLossyProxy } from './without-notifications.ts';

// The second instance gets no notifications, so it learns of the writes of the first by its own polls only.
let database: TestDatabase;
let here: TestServer;
let there: TestServer;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await createTestDatabase();
  const proxy = await openLossyProxy(database.url);
  there = await startTestServer({}, database);
  here = await startTestServer({}, { ...database, url: proxy.url });
  close = async () => {
    await here.close();
    await there.close();
    proxy.close();
    await database.close();
  };
});
afterAll(() => close());

const fields = { name: 'Physics', duration: '4 Years' };
const create = (server: TestServer, key: string) =>
  server.rest('post', '/api/academics/programs').set('Idempotency-Key', key).send(fields);
const createByGraphql = (server: TestServer, key: string) =>
  server
    .graphql('mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id } }', { input: fields })
    .set('Idempotency-Key', key);
const idOf = (body: { readonly id?: number; readonly data?: { readonly createProgram: { readonly id: number } } }) =>
  body.data?.createProgram.id ?? body.id;

const list = async () => {
  const response = await here.get('/v1/api/academics/programs?size=100');
  const { count }: { count: number } = await response.json();
  return count;
};

describe('a replay of a create that another instance has executed is followed by lists that show the record:', () => {
  it.each([
    ['over REST', create],
    ['over GraphQL', createByGraphql],
  ])('%s', async (how, send) => {
    for (let round = 0; round < 10; round += 1) {
      const before = await list();
      // Cached from here on.
      expect(await list()).toBe(before);
      const first = await send(there, `${how}-${round}`.replaceAll(' ', '-'));
      const second = await send(here, `${how}-${round}`.replaceAll(' ', '-'));

      expect(second.headers['idempotency-replayed']).toBe('true');
      expect(idOf(second.body)).toBe(idOf(first.body));
      expect(await list()).toBe(before + 1);
    }
  });
});
