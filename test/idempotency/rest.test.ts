import { beforeEach, describe, expect, it } from 'vitest';
import { errorBody, invalid, keyInvalid, keyReadOnly, statusAndBody } from '../rest/expectations.ts';
import { adminKey, useSharedServer } from '../support/server.ts';

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';
const valid = { name: 'Physics', duration: '4 Years' };
const problem = 'Idempotency-Key must be 1 to 255 visible ASCII characters, quoted or bare.';
const replayed = { 'idempotency-replayed': 'true' };

const server = useSharedServer();

let keysUsed = 0;
let key: string;
beforeEach(() => {
  keysUsed += 1;
  key = `key-${keysUsed}`;
});

const post = (path: string, body: string | object, header: string | null = key, apiKey = adminKey) => {
  const request = server.rest('post', path, apiKey).type('application/json');
  return (header === null ? request : request.set('Idempotency-Key', header)).send(body);
};
const create = (body: string | object = valid, header?: string | null, apiKey?: string) =>
  post(programs, body, header, apiKey);

describe('a create that is retried with its Idempotency-Key', () => {
  it.each([
    ['a program', programs, async () => valid],
    ['a branch', branches, async () => ({ programId: (await server.make.program()).id, name: 'Optics', years: 3 })],
  ])('gets the first response again: %s', async (_what, path, bodyOf) => {
    const body = await bodyOf();

    const first = await post(path, body);
    const second = await post(path, body);
    const third = await post(path, body);

    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    for (const repeat of [second, third]) {
      expect({ status: repeat.status, text: repeat.text }).toEqual({ status: 201, text: first.text });
      const { location, 'content-type': contentType } = first.headers;
      expect(repeat.headers).toMatchObject({ ...replayed, location, 'content-type': contentType });
    }
  });

  it('gets it also when repeats come at the same time, of which those with another body are rejected', async () => {
    const first = await create();

    for (let round = 0; round < 5; round += 1) {
      const bodies = [valid, valid, { ...valid, name: 'Chemistry' }, valid, { ...valid, name: 'Biology' }, valid];
      const repeats = await Promise.all(bodies.map(async (body) => create(body)));
      expect(repeats.map(({ status, text }) => (status === 422 ? status : text))).toEqual(
        bodies.map((body) => (body === valid ? first.text : 422)),
      );
    }
  });

  it('runs one statement in a transaction, and the first request two more than without a key', async () => {
    const cost = async (header: string | null): Promise<number> => {
      server.statements.length = 0;
      await create(valid, header);
      return server.statements.length;
    };
    await cost(null);
    const without = await cost(null);

    expect(await cost(key)).toBe(without + 2);
    // BEGIN, the statement, COMMIT.
    expect(await cost(key)).toBe(3);
  });
});

describe('an Idempotency-Key', () => {
  it.each([
    ['another value', { ...valid, name: 'Chemistry' }],
    ['an additional field that is ignored', { ...valid, colour: 'red' }],
  ])('is rejected with another body: %s', async (_what, other) => {
    await create();

    const response = await create(other);

    expect(statusAndBody(response)).toEqual(errorBody(422, 'This Idempotency-Key was used before with another body.'));
    expect(response.headers).not.toHaveProperty('idempotency-replayed');
    expect((await create()).headers).toMatchObject(replayed);
  });

  it('is scoped to its user', async () => {
    const first = await create();
    const editor = await server.makeKey({ role: 'editor' });

    const other = await create({ ...valid, name: 'Chemistry' }, key, editor);

    expect(other.status).toBe(201);
    expect(other.headers).not.toHaveProperty('idempotency-replayed');
    expect((await create()).text).toBe(first.text);
  });

  it('is shared by all API keys of its user', async () => {
    const one = await server.makeKey({ role: 'editor', user: 'Ada' });
    const other = await server.makeKey({ role: 'editor', user: 'Ada' });

    const first = await create(valid, key, one);

    expect((await create(valid, key, other)).text).toBe(first.text);
  });
});

describe('an invalid Idempotency-Key', () => {
  it('is reported together with the problems of the body', async () => {
    expect(statusAndBody(await create({ name: 5 }, 'a b'))).toEqual(
      invalid({
        name: ['name must be a string.'],
        duration: ['duration is required.'],
        'Idempotency-Key': [problem],
      }),
    );
  });

  it('is reported together with a body that cannot be read', async () => {
    const body = ['The body must be sent as Content-Type: application/json.'];

    const response = await server.rest('post', programs).set('Idempotency-Key', 'a b').type('text/plain').send('{}');

    const message = 'The request has an invalid body.';
    expect(statusAndBody(response)).toEqual({
      status: 415,
      body: { message, errors: { body, 'Idempotency-Key': [problem] } },
    });
  });
});

describe('a caller without permission to create', () => {
  const user = 'Grace';
  let recorded: string;
  beforeEach(async () => {
    recorded = (await create(valid, key, await server.makeKey({ user, role: 'editor' }))).text;
  });

  it.each([
    ['an unknown key', keyInvalid, async () => 'unknown'],
    ['a read-only key', keyReadOnly, () => server.makeKey({ user, role: 'editor', readOnly: true })],
    [
      'a role without the permission',
      errorBody(403, 'You need the permission programs:write.'),
      () => server.makeKey({ user, role: 'viewer' }),
    ],
  ])('gets an error instead of a replay: %s', async (_what, rejection, apiKeyOf) => {
    const apiKey = await apiKeyOf();

    expect(recorded).toContain('Physics');
    expect(statusAndBody(await create(valid, key, apiKey))).toEqual(rejection);
    expect(statusAndBody(await create(valid, 'a b', apiKey))).toEqual(rejection);
  });
});

describe('a rejected create', () => {
  it('does not use up the key: invalid input', async () => {
    expect((await create({ name: 'Physics' })).status).toBe(400);
    expect((await create()).status).toBe(201);
  });

  it('does not use up the key: the same request succeeds once its program exists', async () => {
    const body = { programId: (await server.make.program()).id, name: 'Optics', years: 1 };
    const change = (mutation: string) => server.graphql(`mutation { ${mutation}(id: ${body.programId}) { id } }`);

    await change('deleteProgram');
    const rejection = await post(branches, body);
    await change('restoreProgram');
    const response = await post(branches, body);

    expect(statusAndBody(rejection)).toEqual(errorBody(404, `Program ${body.programId} does not exist.`));
    expect(response.status).toBe(201);
    expect(response.headers).not.toHaveProperty('idempotency-replayed');
  });
});
