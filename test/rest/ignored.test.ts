import supertest from 'supertest';
import { expect, it } from 'vitest';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer({ CORS_ORIGINS: 'https://example.org' });
const path = '/api/academics/programs';
const ignoredBy = async (query: string, at = path) => (await server.rest('get', at + query)).headers['x-ignored'];

it('a list names the parameters that it does not have, whether it is cached or not, and responds all the same', async () => {
  for (const _ of ['first', 'again', 'from the cache']) {
    expect(await ignoredBy('?pageNumber=2&size=5&pageSize=1')).toBe('pageNumber, pageSize');
    expect(await ignoredBy('?page=1&size=5')).toBeUndefined();
  }
  const [named, plain] = await Promise.all([server.rest('get', `${path}?pageNumber=2`), server.rest('get', path)]);
  expect([named.status, named.text, named.headers['etag']]).toEqual([200, plain.text, plain.headers['etag']]);
});

it('an error names them too, as does what has no parameters at all', async () => {
  expect(await ignoredBy('?size=0&limit=5')).toBe('limit');
  expect(await ignoredBy('?fields=id', '/api/academics/programs/2147483647')).toBe('fields');
  expect(await ignoredBy('?verbose', '/ping')).toBe('verbose');
});

it('a create names the fields and the parameters that have no effect', async () => {
  const body = { name: 'Physics', duration: '4 Years', Code: 'P', level: 'BSc' };
  const { status, headers } = await server.rest('post', `${path}?dryRun=true`).send(body);
  expect([status, headers['x-ignored']]).toEqual([201, 'dryRun, Code, level']);
  const plain = await server.rest('post', path).send({ name: 'Physics', duration: '4 Years', code: 'P' });
  expect([plain.status, plain.headers['x-ignored']]).toEqual([201, undefined]);
});

it('names ten at most, cut and percent-encoded, whatever they have', async () => {
  const names = ['a,b', 'x\r\ny', '\u{1f600}', 'é', '__proto__', ...'1234567'];
  const query = names.map((name) => encodeURIComponent(name)).join('&');
  expect(await ignoredBy(`?${query}`)).toBe('a%2Cb, x%0D%0Ay, %F0%9F%98%80, %C3%A9, __proto__, 1, 2, 3, 4, 5');
  expect(await ignoredBy(`?${'y'.repeat(4_000)}`)).toBe('y'.repeat(50));
});

it('scripts of other origins may read it, and requests are counted', async () => {
  const countOf = async (operation: string): Promise<number> => {
    const counter = new RegExp(`^requests_with_ignored_input_total\\{operation="${operation}"\\} (\\d+)$`, 'm');
    return Number(counter.exec((await supertest(server.url).get('/metrics')).text)?.[1] ?? 0);
  };
  const before = [await countOf('ListPrograms'), await countOf('CreateProgram')];
  const { headers } = await supertest(server.url)
    .get(`/v1${path}?pageNumber=2&offset=3`)
    .set({ 'x-api-key': adminKey, origin: 'https://example.org' });
  expect(headers['access-control-expose-headers']).toContain('X-Ignored');
  // Of this one, both parameters and fields have no effect: it counts once.
  await server.rest('post', `${path}?dryRun=true`).send({ name: 'Law', duration: '1 Year', level: 'BSc' }).expect(201);
  expect([await countOf('ListPrograms'), await countOf('CreateProgram')]).toEqual(before.map((count) => count + 1));
});
