import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const secret = 'a secret of the tests, which is long enough for HS256';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ JWT_SECRET: secret });
});
afterAll(() => server.close());

function token(claims: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
}

const programs = async (credential: string) => (await server.rest('get', '/api/academics/programs', credential)).status;

describe('a token', () => {
  it('lets its user in without a row in the database, by its roles, in every form of the header', async () => {
    const good = await token({ sub: 'ada', roles: ['viewer'] });

    expect(await programs(good)).toBe(200);
    expect(await programs(`Bearer ${good}`)).toBe(200);
    expect(
      (await server.rest('get', '/api/academics/programs', null).set('Authorization', `Bearer ${good}`)).status,
    ).toBe(200);
    expect(await programs(await token({ sub: 'ada', roles: 'guest unknown' }))).toBe(403);
    expect(await programs(await token({ sub: 'ada' }))).toBe(403);
  });

  it('has no active user without a subject: ping answers, nothing else does', async () => {
    const nobody = await token({ roles: ['admin'] });

    expect((await server.rest('get', '/ping', nobody)).status).toBe(200);
    const answer = await server.rest('get', '/api/academics/programs', nobody);
    expect([answer.status, answer.body]).toEqual([401, { message: 'User is not authenticated.' }]);
    const graphql = await server.graphql('{ ping { status } programs { count } }', {}, nobody);
    expect(graphql.body.errors[0].extensions).toEqual({ code: 'UNAUTHENTICATED' });
  });

  it.each(['grace', '  grace ', 'gra\u0063e'])(
    'is shut out by a disabled user of its name, written as "%s"',
    async (sub) => {
      await makeKey(server.database, { user: 'grace', role: 'viewer', disabled: true });
      expect(await programs(await token({ sub, roles: ['viewer'] }))).toBe(401);
    },
  );

  it('takes no query once its user is remembered', async () => {
    const good = await token({ sub: 'warm', roles: ['viewer'] });
    await server.rest('get', '/ping', good);
    server.statements.length = 0;
    expect((await server.rest('get', '/ping', good)).status).toBe(200);
    expect(server.statements).toEqual([]);
  });

  it('writes in the name of its subject', async () => {
    const editor = await token({ sub: 'barbara', roles: ['editor'] });
    await server.rest('post', '/api/academics/programs', editor).send({ name: 'Law', duration: '3 Years' });
    const entries = await server.database.query("SELECT actor, key_id FROM audit_entries WHERE subject = 'Program'");
    expect(entries).toEqual([{ actor: 'barbara', key_id: null }]);
  });
});
