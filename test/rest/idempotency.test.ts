import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';
import { errorBody, invalid, keyInvalid, keyReadOnly, statusAndBody } from './expectations.ts';

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';
const sound = { name: 'Physics', duration: '4 Years' };
const problem = 'Idempotency-Key must be 1 to 255 visible ASCII characters, quoted or bare.';
const replayed = { 'idempotency-replayed': 'true' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let used = 0;
let key: string;
beforeEach(() => {
  used += 1;
  key = `key-${used}`;
});

const post = (path: string, body: string | object, header: string | null = key, apiKey = adminKey) => {
  const request = server.rest('post', path, apiKey).type('application/json');
  return (header === null ? request : request.set('Idempotency-Key', header)).send(body);
};
const create = (body: string | object = sound, header?: string | null, apiKey?: string) =>
  post(programs, body, header, apiKey);

describe('a create that is sent again with its Idempotency-Key', () => {
  it.each([
    ['a program', programs, async () => sound],
    [
      'a branch',
      branches,
      async () => ({ programId: (await factoriesFor(server).program()).id, name: 'Optics', years: 3 }),
    ],
  ])('is answered as the first time: %s', async (_what, path, bodyOf) => {
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

  it('makes one record and one entry in the audit log', async () => {
    const name = 'Made once';

    const { id } = (await create({ ...sound, name })).body;
    await create({ ...sound, name });

    expect(await server.database.query('SELECT id FROM programs WHERE name = $1', [name])).toEqual([{ id }]);
    const entries = `SELECT id FROM audit_entries WHERE subject = 'Program' AND subject_id = $1`;
    expect(await server.database.query(entries, [id])).toHaveLength(1);
  });

  it('is answered as the first time although the program has been changed and deleted since', async () => {
    const first = await create();
    await server.graphql(`mutation { updateProgram(id: ${first.body.id}, input: { name: "Changed" }) { id } }`);
    await server.graphql(`mutation { deleteProgram(id: ${first.body.id}) { id } }`);

    expect((await create()).text).toBe(first.text);
  });

  it('costs one statement, and the first time two more than without a key', async () => {
    const cost = async (header: string | null): Promise<number> => {
      server.statements.length = 0;
      await create(sound, header);
      return server.statements.length;
    };
    await cost(null);
    const without = await cost(null);

    expect(await cost(key)).toBe(without + 2);
    // The statement, between the beginning and the end of its transaction.
    expect(await cost(key)).toBe(3);
  });
});

describe('an Idempotency-Key', () => {
  it('is the same one quoted and bare', async () => {
    const first = await create(sound, `"${key}"`);

    expect((await create(sound, key)).text).toBe(first.text);
  });

  it.each([
    ['in another order', '{"duration":"4 Years","code":null,"name":"Physics"}'],
    ['with other blanks', '{ "name" : "Physics" ,\n"duration" : "4 Years", "code":null }'],
    ['with escapes', '{"name":"Ph\\u0079sics","duration":"4 Years","code":null}'],
  ])('goes with the same body %s', async (_what, again) => {
    const first = await create({ ...sound, code: null });

    expect((await create(again)).text).toBe(first.text);
  });

  it.each([
    ['another value', { ...sound, name: 'Chemistry' }],
    ['a field more', { ...sound, code: 'PHY' }],
    ['a field more that is ignored', { ...sound, colour: 'red' }],
    ['null where there was nothing', { ...sound, code: null }],
    ['a blank that would be trimmed', { ...sound, name: ' Physics' }],
  ])('is refused with another body: %s', async (_what, other) => {
    await create();

    const answer = await create(other);

    expect(statusAndBody(answer)).toEqual(errorBody(422, 'This Idempotency-Key was used before with another body.'));
    expect(answer.headers).not.toHaveProperty('idempotency-replayed');
    expect((await create()).headers).toMatchObject(replayed);
  });

  it('goes with a body of nothing but brackets', async () => {
    const body = `{"name":"Physics","duration":"4 Years","deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;

    const first = await create(body);

    expect(first.status).toBe(201);
    expect((await create(body)).text).toBe(first.text);
  });

  it('is another one when another user sends it', async () => {
    const first = await create();
    const editor = await makeKey(server.database, { role: 'editor' });

    const other = await create({ ...sound, name: 'Chemistry' }, key, editor);

    expect(other.status).toBe(201);
    expect(other.headers).not.toHaveProperty('idempotency-replayed');
    expect((await create()).text).toBe(first.text);
  });

  it('is the same one when its user sends it with another API key', async () => {
    const one = await makeKey(server.database, { role: 'editor', user: 'Ada' });
    const other = await makeKey(server.database, { role: 'editor', user: 'Ada' });

    const first = await create(sound, key, one);

    expect((await create(sound, key, other)).text).toBe(first.text);
  });

  it('is another one at the other endpoint', async () => {
    const program = await create();

    const branch = await post(branches, { programId: program.body.id, name: 'Optics', years: 1 });

    expect(branch.status).toBe(201);
    expect(branch.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('is not looked at when nothing is created', async () => {
    const answer = await server.rest('get', programs).set('Idempotency-Key', 'no key');

    expect(answer.status).toBe(200);
  });
});

describe('a header that is no key', () => {
  it.each([
    ['empty', ''],
    ['with a blank', 'a b'],
    ['too long', 'k'.repeat(256)],
    ['not ASCII', 'cl\u00e9'],
    ['a quote that is not closed', '"a'],
  ])('is refused: %s', async (_what, header) => {
    expect(statusAndBody(await create(sound, header))).toEqual(invalid({ 'Idempotency-Key': [problem] }));
  });

  it('is refused together with what is wrong in the body', async () => {
    expect(statusAndBody(await create({ name: 5 }, 'a b'))).toEqual(
      invalid({
        name: ['name must be a string.'],
        duration: ['duration is required.'],
        'Idempotency-Key': [problem],
      }),
    );
  });

  it('is refused together with a body that cannot be read', async () => {
    const body = ['The body must be sent as Content-Type: application/json.'];

    const answer = await server.rest('post', programs).set('Idempotency-Key', 'a b').type('text/plain').send('{}');

    const message = 'The request has an invalid body.';
    expect(statusAndBody(answer)).toEqual({
      status: 415,
      body: { message, errors: { body, 'Idempotency-Key': [problem] } },
    });
  });
});

describe('a caller who may not create', () => {
  const user = 'Grace';
  let recorded: string;
  beforeEach(async () => {
    recorded = (await create(sound, key, await makeKey(server.database, { user, role: 'editor' }))).text;
  });

  it.each([
    ['an unknown key', keyInvalid, async () => 'unknown'],
    ['a read-only key', keyReadOnly, () => makeKey(server.database, { user, role: 'editor', readOnly: true })],
    [
      'a role without the permission',
      errorBody(403, 'You need the permission programs:write.'),
      () => makeKey(server.database, { user, role: 'viewer' }),
    ],
  ])('is told so, whatever was recorded: %s', async (_what, refusal, apiKeyOf) => {
    const apiKey = await apiKeyOf();

    expect(recorded).toContain('Physics');
    expect(statusAndBody(await create(sound, key, apiKey))).toEqual(refusal);
    expect(statusAndBody(await create(sound, 'a b', apiKey))).toEqual(refusal);
  });
});

describe('a create that was refused', () => {
  it('leaves the key free: invalid input', async () => {
    expect((await create({ name: 'Physics' })).status).toBe(400);
    expect((await create()).status).toBe(201);
  });

  it('leaves the key free: the same request succeeds once its program exists', async () => {
    const body = { programId: (await factoriesFor(server).program()).id, name: 'Optics', years: 1 };
    const change = (mutation: string) => server.graphql(`mutation { ${mutation}(id: ${body.programId}) { id } }`);

    await change('deleteProgram');
    const refusal = await post(branches, body);
    await change('restoreProgram');
    const answer = await post(branches, body);

    expect(statusAndBody(refusal)).toEqual(errorBody(404, `Program ${body.programId} does not exist.`));
    expect(answer.status).toBe(201);
    expect(answer.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('leaves the key free: a program that no number can name', async () => {
    const { id } = await factoriesFor(server).program();
    const sendFor = (programId: number) => post(branches, { programId, name: 'Optics', years: 1 });

    expect((await sendFor(2_147_483_648)).status).toBe(404);
    expect((await sendFor(id)).status).toBe(201);
  });
});
