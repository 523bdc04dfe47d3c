import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartupError } from '@service/errors';
import { afterAll, describe, expect, it } from 'vitest';
import { readPersistedOperations } from '../src/persisted-operations.ts';
import { schema } from './support/schema.ts';
import { useBookServer } from './support/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'operations-'));
afterAll(() => rmSync(folder, { recursive: true }));

const operationsIn = (text: string) => {
  const file = path.join(folder, 'operations.json');
  writeFileSync(file, text);
  return readPersistedOperations({ path: file, setting: 'OPERATIONS_FILE' }, schema);
};
const ping = 'query Ping { ping { status } }';
const book = 'query One($id: Int!) { book(id: $id) { name } }';
const create = 'mutation Create($name: String!) { createBook(input: { name: $name, price: "1" }) { name } }';
const persistedOperations = () => operationsIn(JSON.stringify({ ping, book, create }));

const server = useBookServer({ persistedOperations });
const plain = useBookServer();

const answer = async (body: object, to = server) => {
  const response = await to.request('post', '/graphql').send(body);
  return { status: response.status, body: response.body };
};
const get = async (parameters: Record<string, string>, to = server) => {
  const response = await to.request('get', `/graphql?${new URLSearchParams(parameters)}`);
  return { status: response.status, body: response.body };
};
const failure = (message: string, code: string) => ({
  status: 400,
  body: { errors: [{ message, extensions: { code } }] },
});
const pong = { status: 200, body: { data: { ping: { status: 'ok' } } } };
const unknownId = failure('Unknown persisted operation id. Ask the operator to register it.', 'BAD_USER_INPUT');
const notPersisted = failure(
  'Only persisted operations are allowed. Send the id of one as "documentId", or ask the operator to register this one.',
  'BAD_USER_INPUT',
);
const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

describe('automatic persisted queries', () => {
  const hashed = { extensions: persisted('of a text that nobody has registered') };

  it('are not there without persisted operations, which their clients understand, by POST and GET', async () => {
    const unsupported = failure('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED');
    expect(await answer(hashed, plain)).toEqual(unsupported);
    expect(await answer({ ...hashed, query: ping }, plain)).toEqual(pong);
    expect(await get({ extensions: JSON.stringify(hashed.extensions) }, plain)).toEqual(unsupported);
  });

  it('send the text of a registered operation when its hash is not the id', async () => {
    expect(await answer(hashed)).toEqual(failure('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND'));
    expect(await answer({ ...hashed, query: ping })).toEqual(pong);
    expect(await answer({ ...hashed, query: '{ books { count } }' })).toEqual(notPersisted);
  });

  it.each([
    ['without', plain],
    ['with', server],
  ])('are no failed request to a client that accepts JSON alone, %s persisted operations', async (_how, to) => {
    const json = await to.request('post', '/graphql').set('Accept', 'application/json').send(hashed);
    const both = await to.request('post', '/graphql').set('Accept', 'application/json, */*').send(hashed);
    expect([json.status, both.status]).toEqual([200, 400]);
  });
});

describe('a persisted operation', () => {
  it.each<[string, object]>([
    ['its id', { documentId: 'ping' }],
    ['its id, as a hash', { documentId: 'sha256:ping' }],
    ['its id, as Apollo clients send it', { extensions: persisted('ping') }],
    ['its id and another document, which is ignored', { documentId: 'ping', query: '{ books { count } }' }],
    ['its text', { query: ping }],
  ])('is executed when requested by %s', async (_how, body) => {
    expect(await answer(body)).toEqual(pong);
    const parameters = Object.entries(body).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    expect(await get(Object.fromEntries(parameters))).toEqual(pong);
  });

  it('takes variables, and runs mutations over POST only', async () => {
    const created = { data: { createBook: { name: 'Logic' } } };
    expect(await answer({ documentId: 'create', variables: { name: 'Logic' } })).toMatchObject({ body: created });
    expect(await get({ documentId: 'book', variables: '{"id":7}' })).toMatchObject({ body: { data: { book: null } } });
    expect((await get({ documentId: 'create', variables: '{"name":"Ethics"}' })).status).toBe(405);
  });
});

describe('any other operation', () => {
  it.each<[string, Record<string, string>, object]>([
    ['it is another document', { query: '{ ping { status } }' }, notPersisted],
    ['it is introspection', { query: '{ __schema { queryType { name } } }' }, notPersisted],
    ['it cannot be parsed', { query: '{' }, notPersisted],
    ['the request is empty', {}, notPersisted],
    ['the id is unknown', { documentId: 'nothing' }, unknownId],
    ['the id is unknown, although the text is persisted', { documentId: 'nothing', query: ping }, unknownId],
    ['the id is a property of every object', { documentId: 'constructor' }, unknownId],
  ])('is rejected because %s', async (_why, request, expected) => {
    expect(await answer(request)).toEqual(expected);
    if (Object.keys(request).length > 0) expect(await get(request)).toEqual(expected);
  });

  it.each([7, null, ['ping'], { id: 'ping' }])('is rejected because its id is %j', async (documentId) => {
    expect((await answer({ documentId })).status).toBe(400);
  });
});

describe('the file of persisted operations', () => {
  it('may be an Apollo manifest', async () => {
    const operations = [{ id: 'a1', name: 'Ping', type: 'query', body: ping }];
    const read = await operationsIn(
      JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }),
    );
    expect(read.documentOf({ query: undefined, documentId: 'a1', extensions: undefined })).toEqual({ text: ping });
  });

  it.each([
    ['{', 'must name a JSON file: documents by id, or a persisted query manifest.'],
    ['["{ ping }"]', 'must name a JSON file: documents by id, or a persisted query manifest.'],
    [
      '{"p":"{ pong }"}',
      'contains an invalid operation, p: Cannot query field "pong" on type "Query". Did you mean "ping"?.',
    ],
  ])('makes startup fail when it is %s', async (text, message) => {
    await expect(operationsIn(text)).rejects.toThrow(new StartupError(`OPERATIONS_FILE ${message}`));
  });

  it('makes startup fail when it does not exist', async () => {
    const nowhere = { path: path.join(folder, 'nowhere.json'), setting: 'OPERATIONS_FILE' };
    const error = new StartupError('OPERATIONS_FILE names a file that cannot be read.');
    await expect(readPersistedOperations(nowhere, schema)).rejects.toThrow(error);
  });
});
