import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { errorBody, statusAndBody } from './expectations.ts';

const programs = '/api/academics/programs';

const server = useSharedServer();
let paths: string[];
let programId: number;
beforeAll(async () => {
  programId = (await server.make.program()).id;
  const branch = await server.make.branch(programId);
  paths = ['/ping', programs, `${programs}?size=1`, `${programs}/${programId}`, `/api/academics/branches/${branch.id}`];
});

const tagOf = async (path: string, key?: string): Promise<string> => {
  const response = await server.rest('get', path, key);
  expect([path, response.status]).toEqual([path, 200]);
  return String(response.headers['etag']);
};
/** Sends a conditional request. */
const requestIfNoneMatch = (path: string, tags: string, method: 'get' | 'head' = 'get') =>
  server.rest(method, path).set('If-None-Match', tags);

describe('the ETag', () => {
  it('is the same for the same content and any caller', async () => {
    const viewer = await server.makeKey({ role: 'viewer' });
    for (const path of paths) {
      const tag = await tagOf(path);
      expect(await tagOf(path)).toBe(tag);
      expect(await tagOf(path, viewer)).toBe(tag);
    }
    expect(new Set(await Promise.all(paths.map((path) => tagOf(path)))).size).toBe(paths.length);
  });

  it('changes with the content, and is the old one for the old content', async () => {
    const { id } = await server.make.program();
    const path = `${programs}/${id}`;
    const rename = (name: string) =>
      server.graphql('mutation ($id: Int!, $name: String!) { updateProgram(id: $id, input: { name: $name }) { id } }', {
        id,
        name,
      });
    const first = await tagOf(path);
    await rename('Optics');
    expect(await tagOf(path)).not.toBe(first);
    await rename('Physics');
    expect(await tagOf(path)).toBe(first);
    await server.make.branch(id);
    expect(await tagOf(path)).not.toBe(first);
  });

  it('is only on 200 responses', async () => {
    const created = await server.rest('post', programs).send({ name: 'Physics', duration: '4 Years' });
    const others = [created, await server.rest('get', `${programs}/abc`), await server.rest('get', `${programs}/0`)];
    for (const response of others) expect(response.headers).not.toHaveProperty('etag');
  });
});

describe('a conditional GET', () => {
  it('gets a 304 without a body when If-None-Match matches, even with Cache-Control: no-cache, as fetch sends it', async () => {
    for (const path of paths) {
      const tag = await tagOf(path);
      const response = await requestIfNoneMatch(path, `"other", W/${tag}`).set('Cache-Control', 'no-cache');
      expect([path, response.status, response.text]).toEqual([path, 304, '']);
      expect(response.headers).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
      for (const name of ['content-type', 'content-length']) expect(response.headers).not.toHaveProperty(name);
      expect((await requestIfNoneMatch(path, '"other"')).status).toBe(200);
    }
  });

  it('gets its 400, 401 or 404 before the condition is checked', async () => {
    expect(statusAndBody(await requestIfNoneMatch(`${programs}/999999`, '*'))).toEqual(
      errorBody(404, 'Program 999999 does not exist.'),
    );
    expect((await requestIfNoneMatch(`${programs}/abc`, '*')).status).toBe(400);
    expect((await server.rest('get', '/ping', null).set('If-None-Match', '*')).status).toBe(401);
  });

  it('does not apply to a create', async () => {
    const response = await server.rest('post', programs).set('If-None-Match', '*').send({ name: 'P', duration: '1' });
    expect(response.status).toBe(201);
  });
});

describe('HEAD', () => {
  const comparable = ({ date, 'x-request-id': _id, ...headers }: Record<string, string>) => headers;

  it('responds as GET, with the same headers but no body', async () => {
    const errorPaths = [`${programs}/abc`, `${programs}/0`, '/nothing', `${programs}?page=0`, ''];
    for (const path of [...paths, ...errorPaths]) {
      const [get, head] = [await server.rest('get', path), await server.rest('head', path)];
      expect([path, head.status, comparable(head.headers)]).toEqual([path, get.status, comparable(get.headers)]);
      expect(head.text).toBeUndefined();
      expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(get.text));
    }
  });

  it('needs a key and a permission as GET does', async () => {
    const guest = await server.makeKey({ role: 'guest' });
    expect((await server.rest('head', programs, null)).status).toBe(401);
    expect((await server.rest('head', programs, guest)).status).toBe(403);
  });

  it('gets a 304 when the tag matches', async () => {
    const response = await requestIfNoneMatch('/ping', await tagOf('/ping'), 'head');
    expect([response.status, response.text]).toEqual([304, undefined]);
  });
});
