import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from '@service/errors';
import { readPersistedOperations } from '@service/graphql-server/persisted-operations';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/doors/graphql/schema.ts';
import { makeFolder } from '../support/files.ts';
import { adminKey, useServer } from '../support/server.ts';

const ping = 'query Ping { ping { status } }';
const one = 'query One($id: Int!) { program(id: $id) { name } }';
const create =
  'mutation Create($name: String!) { createProgram(input: { name: $name, duration: "4 Years" }) { name } }';
const changes = 'subscription { catalogChanged { kind } }';
const persistedOperations = { ping, one, create, changes };
const status = { data: { ping: { status: 'ok' } } };

function writeOperations(text: string): string {
  const file = path.join(makeFolder(), 'operations.json');
  writeFileSync(file, text);
  return file;
}

const server = useServer({ GRAPHQL_PERSISTED_OPERATIONS_FILE: writeOperations(JSON.stringify(persistedOperations)) });

const post = async (body: object) => {
  const response = await supertest(server.url).post('/graphql').set('x-api-key', adminKey).send(body);
  return { status: response.status, body: response.body };
};
const get = async (parameters: Record<string, string>) => {
  const response = await supertest(server.url).get('/graphql').query(parameters).set('x-api-key', adminKey);
  return { status: response.status, body: response.body };
};
const badRequest = (message: string) => ({
  status: 400,
  body: { errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] },
});
const unknownId = badRequest('Unknown persisted operation id. Ask the operator to register it.');
const notPersisted = badRequest(
  'Only persisted operations are allowed. Send the id of one as "documentId", or ask the operator to register this one.',
);
const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

describe('automatic persisted queries', () => {
  const plain = useServer();
  const hashed = { extensions: persisted('of a text that nobody has registered') };
  const answer = async (to: { url: string }, body: object | object[]) => {
    const response = await supertest(to.url).post('/graphql').set('x-api-key', adminKey).send(body);
    return { status: response.status, body: response.body };
  };
  const unsupported = {
    status: 400,
    body: {
      errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
    },
  };

  it('are not there without persisted operations, which their clients understand, by POST and GET', async () => {
    expect(await answer(plain, hashed)).toEqual(unsupported);
    expect(await answer(plain, { ...hashed, query: ping })).toEqual({ status: 200, body: status });
    const byGet = await supertest(plain.url)
      .get('/graphql')
      .query({ extensions: JSON.stringify(hashed.extensions) })
      .set('x-api-key', adminKey);
    expect({ status: byGet.status, body: byGet.body }).toEqual(unsupported);
  });

  it('send the text of a registered operation when its hash is not the id', async () => {
    expect(await post(hashed)).toEqual({
      status: 400,
      body: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    });
    expect(await post({ ...hashed, query: ping })).toEqual({ status: 200, body: status });
    expect(await post({ ...hashed, query: '{ programs { count } }' })).toEqual(notPersisted);
  });

  it('and arrays of operations are told apart: an array is a 400 that says what to do', async () => {
    const { status, body } = await answer(plain, [{ query: ping }, { query: ping }]);
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(JSON.stringify(body)).toContain(
      'The body must be one operation: an array of them is not served. Send each in a request',
    );
  });
});

describe('a persisted operation', () => {
  it.each<[string, object]>([
    ['its id', { documentId: 'ping' }],
    ['its id, as a hash', { documentId: 'sha256:ping' }],
    ['its id, as Apollo clients send it', { extensions: persisted('ping') }],
    ['its id and another document, which is ignored', { documentId: 'ping', query: '{ programs { count } }' }],
    ['its text', { query: ping }],
  ])('is executed when requested by %s', async (_how, body) => {
    expect(await post(body)).toEqual({ status: 200, body: status });
    // From the response cache.
    expect(await post(body)).toEqual({ status: 200, body: status });
  });

  it('is executed over GET', async () => {
    expect(await get({ documentId: 'ping' })).toEqual({ status: 200, body: status });
    expect(await get({ extensions: JSON.stringify(persisted('ping')) })).toEqual({ status: 200, body: status });
    expect(await get({ query: ping })).toEqual({ status: 200, body: status });
  });

  it('takes variables, and runs mutations over POST only', async () => {
    const created = { data: { createProgram: { name: 'Logic' } } };
    expect(await post({ documentId: 'create', variables: { name: 'Logic' } })).toEqual({ status: 200, body: created });
    const [{ id } = {}] = await server.database.query("SELECT id FROM programs WHERE name = 'Logic'");
    const found = { data: { program: { name: 'Logic' } } };
    expect(await post({ documentId: 'one', variables: { id } })).toEqual({ status: 200, body: found });
    expect(await get({ documentId: 'one', variables: JSON.stringify({ id }) })).toEqual({ status: 200, body: found });
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
    expect(await post(request)).toEqual(expected);
    if (Object.keys(request).length > 0) expect(await get(request)).toEqual(expected);
  });

  it.each([7, null, ['ping'], { id: 'ping' }])('is rejected because its id is %j', async (documentId) => {
    const { status } = await post({ documentId });
    expect(status).toBe(400);
  });
});

it('does not restrict REST', async () => {
  expect((await server.rest('get', '/api/academics/programs')).status).toBe(200);
  expect((await server.rest('post', '/api/academics/programs').send({ name: 'Art', duration: '2' })).status).toBe(201);
});

describe('the file of persisted operations', () => {
  const operationsIn = (file: string) =>
    readPersistedOperations({ path: file, setting: 'GRAPHQL_PERSISTED_OPERATIONS_FILE' }, schema);

  it('may be an Apollo manifest', async () => {
    const operations = [{ id: 'a1', name: 'Ping', type: 'query', body: ping }];
    const file = writeOperations(JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
    const read = await operationsIn(file);
    expect(read.documentOf({ query: undefined, documentId: 'a1', extensions: undefined })).toEqual({ text: ping });
  });

  it.each([
    ['is not JSON', '{', 'must name a JSON file: documents by id, or a persisted query manifest.'],
    ['has another structure', '["{ ping }"]', 'must name a JSON file: documents by id, or a persisted query manifest.'],
    [
      'has an operation that is invalid against the schema',
      '{"p":"{ pong }"}',
      'contains an invalid operation, p: Cannot query field "pong" on type "Query". Did you mean "ping"?.',
    ],
  ])('makes startup fail when it %s', async (_how, text, message) => {
    await expect(operationsIn(writeOperations(text))).rejects.toThrow(
      new StartupError(`GRAPHQL_PERSISTED_OPERATIONS_FILE ${message}`),
    );
  });

  it('makes startup fail when it does not exist', async () => {
    await expect(operationsIn(path.join(makeFolder(), 'nowhere.json'))).rejects.toThrow(
      new StartupError('GRAPHQL_PERSISTED_OPERATIONS_FILE names a file that cannot be read.'),
    );
  });
});
