import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { within } from '../../support/running-time.ts';
import { useServer } from '../../support/server.ts';

const secret = 'a secret of the tests, which is long enough for HS256';
const server = useServer({ JWT_SECRET: secret });

function token(claims: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
}

const programs = async (credential: string) => (await server.rest('get', '/api/academics/programs', credential)).status;

describe('a token', () => {
  it('authorizes its user by its roles, without a database row, in either header', async () => {
    const valid = await token({ sub: 'ada', roles: ['viewer'] });

    expect(await programs(valid)).toBe(200);
    expect(await programs(`Bearer ${valid}`)).toBe(200);
    expect(
      (await server.rest('get', '/api/academics/programs', null).set('Authorization', `Bearer ${valid}`)).status,
    ).toBe(200);
    expect(await programs(await token({ sub: 'ada', roles: 'guest unknown' }))).toBe(403);
    expect(await programs(await token({ sub: 'ada' }))).toBe(403);
  });

  it.each([
    ['without a subject', {}],
    ['that says it is the command line', { sub: ' cli' }],
    ['that says it is the start of the service', { sub: 'start' }],
    ['whose subject is longer than a name of a user', { sub: 'x'.repeat(256) }],
    ['whose subject is larger than an entry of an index', { sub: randomBytes(2_100).toString('base64') }],
    ['whose subject has several lines', { sub: 'ada\nadmin' }],
    ['whose subject is that of another but for an invisible character', { sub: 'ada\u200b' }],
  ])('%s has no active user: only ping works', async (_what, claims) => {
    const withoutSubject = await token({ ...claims, roles: ['admin'] });

    expect((await server.rest('get', '/ping', withoutSubject)).status).toBe(200);
    const response = await server.rest('get', '/api/academics/programs', withoutSubject);
    expect([response.status, response.body]).toEqual([401, { message: 'User is not authenticated.' }]);
    const graphql = await server.graphql('{ ping { status } programs { count } }', {}, withoutSubject);
    expect(graphql.body.errors[0].extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    const creation = await server
      .rest('post', '/api/academics/programs', withoutSubject)
      .send({ name: 'Law', duration: '3 Years' });
    expect([creation.status, creation.body]).toEqual([401, { message: 'User is not authenticated.' }]);
  });

  it.each(['grace', '  grace '])('is rejected when a user of its name is disabled, written as "%s"', async (sub) => {
    await server.makeKey({ user: 'grace', role: 'viewer', disabled: true });
    expect(await programs(await token({ sub, roles: ['viewer'] }))).toBe(401);
  });

  it('needs no SQL once its user is cached', async () => {
    const valid = await token({ sub: 'warm', roles: ['viewer'] });
    const statementsOfLookup = async () => {
      server.statements.length = 0;
      expect((await server.rest('get', '/ping', valid)).status).toBe(200);
      return server.statements;
    };

    // On a busy machine the change poll may be late, which invalidates the cache.
    await within(10_000, async () => expect(await statementsOfLookup()).toEqual([]));
  });

  it('is audited under its subject', async () => {
    const editor = await token({ sub: 'barbara', roles: ['editor'] });
    await server.rest('post', '/api/academics/programs', editor).send({ name: 'Law', duration: '3 Years' });
    const entries = await server.database.query("SELECT actor, key_id FROM audit_entries WHERE subject = 'Program'");
    expect(entries).toEqual([{ actor: 'barbara', key_id: null }]);
  });
});
