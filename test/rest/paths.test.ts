import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeApiKey } from '../../src/validation/api-key-form.ts';
import { useSharedServer } from '../support/server.ts';
import {
  errorBody,
  invalid,
  keyInvalid,
  keyMissing,
  keyReadOnly,
  statusAndBody,
  userNotAuthenticated,
} from './expectations.ts';
import { idProblems } from './path-ids.ts';

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';
const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const;
const noSuchPath = errorBody(404, 'There is no such path.');

const server = useSharedServer();
let disabled: string;
let guest: string;
let readOnly: string;
beforeAll(async () => {
  disabled = await server.makeKey({ user: 'gone', role: 'admin', disabled: true });
  guest = await server.makeKey({ role: 'guest' });
  readOnly = await server.makeKey({ user: 'reader', role: 'guest', readOnly: true });
});

describe('an unknown path below /v1', () => {
  const unknown = [
    '',
    '/',
    '/nothing',
    '/%zz',
    '/ping/',
    '/PING',
    '/ping/more',
    '/api',
    '/api/academics',
    `${programs}/`,
    '/api/academics/Programs',
    `${programs}/1/`,
    `${programs}/1/branches`,
    `${programs}/%zz/branches`,
    `/${programs}`,
    `${branches}/`,
    '/graphql',
    '/livez',
    '/../livez',
  ];

  it.each(unknown)('gets a 404: /v1%s', async (path) => {
    for (const method of methods) expect(statusAndBody(await server.rest(method, path))).toEqual(noSuchPath);
  });

  it('gets a 404 with a query string, and for a disabled user', async () => {
    expect(statusAndBody(await server.rest('get', '?page=1'))).toEqual(noSuchPath);
    expect(statusAndBody(await server.rest('get', '/nothing', disabled))).toEqual(noSuchPath);
  });

  it('gets a 401 without a valid key', async () => {
    for (const path of unknown) {
      expect([path, statusAndBody(await server.rest('get', path, null))]).toEqual([path, keyMissing]);
      expect([path, statusAndBody(await server.rest('get', path, 'nonsense'))]).toEqual([path, keyInvalid]);
    }
  });

  it('gets a 404 without a key when it only resembles /v1', async () => {
    for (const path of ['/v1x', '/V1/ping', '/v2/ping', '//v1/ping', '/api/academics/programs', '/nothing']) {
      expect([path, statusAndBody(await supertest(server.url).get(path))]).toEqual([path, noSuchPath]);
    }
  });
});

describe('an unsupported method', () => {
  it.each([
    [programs, ['put', 'patch', 'delete', 'options'], 'GET, HEAD, POST'],
    [branches, ['get', 'head', 'put', 'patch', 'delete', 'options'], 'POST'],
    [`${branches}/1`, ['post', 'put', 'patch', 'delete', 'options'], 'GET, HEAD'],
    [`${programs}/1`, ['post', 'put', 'patch', 'delete', 'options'], 'GET, HEAD'],
    [`${programs}/%zz`, ['post', 'put', 'patch', 'delete', 'options'], 'GET, HEAD'],
    ['/ping', ['post', 'put', 'patch', 'delete', 'options'], 'GET, HEAD'],
  ] as const)('gets a 405 with Allow: %s', async (path, disallowed, allow) => {
    for (const method of disallowed) {
      const response = await server.rest(method, path);
      const message = `${method.toUpperCase()} is not allowed here; use ${allow}.`;
      expect([response.status, response.headers['allow']]).toEqual([405, allow]);
      if (method !== 'head') expect(response.body).toEqual({ message });
    }
  });
});

describe('the order of checks', () => {
  it('checks the key before anything else', async () => {
    for (const path of ['/ping', programs, branches, `${programs}/abc`, `${branches}/%zz`, '/nothing']) {
      for (const method of methods) {
        const request = (key: string | null) => server.rest(method, path, key).type('text/plain').send('{');
        expect(statusAndBody(await request(null))).toEqual(keyMissing);
        expect(statusAndBody(await request(makeApiKey()))).toEqual(keyInvalid);
      }
    }
  });

  it('checks path and method before the user', async () => {
    for (const key of [disabled, guest, readOnly]) {
      expect((await server.rest('put', programs, key).send({})).status).toBe(405);
      expect((await server.rest('delete', `${programs}/abc`, key)).status).toBe(405);
      expect((await server.rest('get', branches, key)).status).toBe(405);
      expect((await server.rest('post', '/nothing', key).send('{')).status).toBe(404);
    }
  });

  it('checks the user and the permission before the input', async () => {
    for (const path of [`${programs}?page=0`, `${programs}/1`, `${programs}/abc`, `${branches}/1`, `${branches}/%zz`])
      expect(statusAndBody(await server.rest('get', path, disabled))).toEqual(userNotAuthenticated);
    for (const path of [`${programs}?page=0`, `${programs}/1`, `${programs}/abc`])
      expect(statusAndBody(await server.rest('get', path, guest))).toEqual(
        errorBody(403, 'You need the permission programs:read.'),
      );
    const inputs = [
      ['text/plain', 'x'],
      ['application/json', '{'],
      ['application/json', '[]'],
      ['application/json', `"${'x'.repeat(102_400)}"`],
      ['application/json', '{"programId":999999,"name":"Optics","years":1}'],
    ] as const;
    for (const [type, body] of inputs) {
      const post = (path: string, key: string) => server.rest('post', path, key).type(type).send(body);
      expect(statusAndBody(await post(programs, disabled))).toEqual(userNotAuthenticated);
      expect(statusAndBody(await post(branches, disabled))).toEqual(userNotAuthenticated);
      expect(statusAndBody(await post(programs, guest))).toEqual(
        errorBody(403, 'You need the permission programs:write.'),
      );
      expect(statusAndBody(await post(programs, readOnly))).toEqual(keyReadOnly);
      expect(statusAndBody(await post(branches, readOnly))).toEqual(keyReadOnly);
    }
  });

  it('validates the input before looking up records', async () => {
    expect(statusAndBody(await server.rest('get', `${programs}/0999999`))).toEqual(invalid(idProblems));
    expect((await server.rest('post', branches).send({ programId: 999_999 })).body).toEqual({
      message: 'The request has invalid input.',
      errors: { name: ['name is required.'], years: ['years is required.'] },
    });
    expect((await server.rest('post', branches).type('text/plain').send('x')).status).toBe(415);
  });
});
