import type { Response } from 'supertest';
import { expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer({ RATE_LIMIT_PER_MINUTE: '50' });
const programs = '/api/academics/programs';
const physics = { name: 'Physics', duration: '4 Years' };

/** Sent once before, with another body. */
async function repeated(): Promise<Response> {
  await server.rest('post', programs).set('Idempotency-Key', 'used').send(physics);
  return server
    .rest('post', programs)
    .set('Idempotency-Key', 'used')
    .send({ ...physics, name: 'Chemistry' });
}

async function limited(): Promise<Response> {
  const key = await server.makeKey({ user: 'busy' });
  for (let count = 0; count < 50; count += 1) await server.rest('get', '/ping', key);
  return server.rest('get', '/ping', key);
}

it.each<[number, string, string, () => PromiseLike<Response>]>([
  [401, 'API_KEY_MISSING', 'no key', () => server.rest('get', '/ping', null)],
  [401, 'API_KEY_INVALID', 'an unknown key', () => server.rest('get', '/ping', 'unknown')],
  [
    401,
    'UNAUTHENTICATED',
    'a disabled user',
    async () => server.rest('get', programs, await server.makeKey({ user: 'gone', disabled: true })),
  ],
  [
    403,
    'FORBIDDEN',
    'no permission',
    async () => server.rest('get', programs, await server.makeKey({ role: 'guest' })),
  ],
  [404, 'NOT_FOUND', 'a program that does not exist', () => server.rest('get', `${programs}/404`)],
  [404, 'NOT_FOUND', 'an id above the largest', () => server.rest('get', `${programs}/2147483648`)],
  [404, 'NOT_FOUND', 'an unknown path', () => server.rest('get', '/nowhere')],
  [405, 'BAD_USER_INPUT', 'another method', () => server.rest('put', '/ping')],
  [400, 'VALIDATION_FAILED', 'an invalid page', () => server.rest('get', `${programs}?page=0`)],
  [400, 'VALIDATION_FAILED', 'an invalid body', () => server.rest('post', programs).send({})],
  [
    413,
    'VALIDATION_FAILED',
    'a large body',
    () => server.rest('post', programs).send({ ...physics, name: 'x'.repeat(200_000) }),
  ],
  [415, 'VALIDATION_FAILED', 'another media type', () => server.rest('post', programs).type('text/plain').send('x')],
  [422, 'CONFLICT', 'a used Idempotency-Key', repeated],
  [429, 'RATE_LIMITED', 'too many requests', limited],
])('%i has the X-Error-Code %s, for %s', async (status, code, _what, send) => {
  const response = await send();
  expect([response.status, response.headers['x-error-code']]).toEqual([status, code]);
  expect(response.body).not.toHaveProperty('code');
});

it('a response that is no error has no X-Error-Code', async () => {
  expect((await server.rest('get', '/ping')).headers).not.toHaveProperty('x-error-code');
});
