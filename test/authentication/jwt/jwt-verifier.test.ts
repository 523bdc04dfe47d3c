import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { looksLikeJwt } from '../../../src/accounts/authentication/authenticate.ts';
import type { JwtVerifierOptions } from '../../../src/accounts/jwt/tokens.ts';
import { createJwtVerifier } from '../../../src/accounts/jwt/verifier.ts';
import { parseRoleMap, type RoleMap } from '../../../src/validation/role-map.ts';
import {
  bareOptions,
  expectRejection,
  goodClaims,
  nowSeconds,
  secret,
  secretToken,
  writeToken,
} from '../../support/credentials/tokens.ts';

const verifierWith = (options: Partial<JwtVerifierOptions> = {}) =>
  createJwtVerifier({ ...bareOptions, JWT_SECRET: secret, ...options }, () => nowSeconds * 1_000);

describe('a token signed with the secret', () => {
  it('yields subject, roles and expiry', async () => {
    expect(await verifierWith().verify(secretToken())).toEqual({
      subject: 'ada',
      identity: { issuer: 'token', subject: 'ada' },
      roles: ['viewer'],
      expiresAt: new Date(goodClaims.exp * 1_000),
    });
  });

  it('is rejected when it was signed with another secret', async () => {
    const token = writeToken({ alg: 'HS256' }, goodClaims, `${secret}!`);

    expect(await expectRejection(verifierWith(), token)).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
  });

  it('is rejected when neither a secret nor a key set is configured', async () => {
    expect(await expectRejection(verifierWith({ JWT_SECRET: undefined }), secretToken())).toBe(
      'ERR_JOSE_ALG_NOT_ALLOWED',
    );
  });

  it('is rejected when its payload is not an object', async () => {
    for (const payload of ['[]', '"text"', 'null', '1', '', '{', '{"exp":1}x']) {
      expect(await expectRejection(verifierWith(), secretToken(payload))).toBe('ERR_JWT_INVALID');
    }
  });
});

describe('the times of a token', () => {
  const good = { ...goodClaims };
  const withoutExpiry = { sub: 'ada' };

  it.each([
    ['expires in a moment', { ...good, exp: nowSeconds + 1 }],
    ['expired within the tolerance', { ...good, exp: nowSeconds - 4 }],
    ['becomes valid within the tolerance', { ...good, nbf: nowSeconds + 5 }],
    ['was issued in the future', { ...good, iat: nowSeconds + 3_600 }],
    ['was issued long ago', { ...good, iat: 0 }],
  ])('accept it when it %s', async (_case, claims) => {
    const { expiresAt } = await verifierWith().verify(secretToken(claims));

    expect(expiresAt).toEqual(new Date(claims.exp * 1_000));
  });

  it.each([
    ['expired before the tolerance', { ...good, exp: nowSeconds - 5 }, 'ERR_JWT_EXPIRED (exp)'],
    ['is not valid yet', { ...good, nbf: nowSeconds + 6 }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (nbf)'],
    ['has no expiry', withoutExpiry, 'ERR_JWT_INVALID'],
    ['has no expiry but a prototype', '{"__proto__":{"exp":9999999999}}', 'ERR_JWT_INVALID'],
    ['expires at a text', { ...good, exp: `${good.exp}` }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (exp)'],
  ])('reject it when it %s', async (_case, claims, reason) => {
    expect(await expectRejection(verifierWith(), secretToken(claims))).toBe(reason);
  });

  it('are capped at the last day that the database gives back', async () => {
    for (const exp of ['1e300', '1e400', '253402300800', `${Number.MAX_SAFE_INTEGER}`]) {
      const { expiresAt } = await verifierWith().verify(secretToken(`{"exp":${exp}}`));

      expect(expiresAt).toEqual(new Date('9999-12-31T00:00:00Z'));
    }
  });
});

describe('issuer and audience', () => {
  const both = { JWT_ISSUER: 'https://id.example.org', JWT_AUDIENCE: 'academics' };
  const right = { ...goodClaims, iss: both.JWT_ISSUER, aud: both.JWT_AUDIENCE };

  it.each([
    ['are the configured ones', both, right],
    ['are the configured ones, the audience among others', both, { ...right, aud: ['library', 'academics'] }],
    ['are any when none is configured', {}, right],
    ['are missing when none is configured', {}, goodClaims],
  ])('are accepted when they %s', async (_case, options, claims) => {
    expect(await verifierWith(options).verify(secretToken(claims))).toMatchObject({ subject: 'ada' });
  });

  it.each([
    ['issuer is another', { ...right, iss: 'https://id.example.com' }, 'iss'],
    ['issuer is missing', { ...right, iss: undefined }, 'iss'],
    ['audience is another', { ...right, aud: 'library' }, 'aud'],
    ['audience is missing', { ...right, aud: undefined }, 'aud'],
    ['audience is a list without it', { ...right, aud: ['library', 'academics '] }, 'aud'],
  ])('are rejected when the %s', async (_case, claims, claim) => {
    const reason = await expectRejection(verifierWith(both), secretToken(claims));

    expect(reason).toBe(`ERR_JWT_CLAIM_VALIDATION_FAILED (${claim})`);
  });
});

describe('the subject', () => {
  it.each(['ada', '0', 'Ada Lovelace', 'оля', '👩‍🎓', '__proto__'])('names the user: %j', async (sub) => {
    expect(await verifierWith().verify(secretToken({ ...goodClaims, sub }))).toMatchObject({ subject: sub });
  });

  it('is null when the claim is absent, not a string, empty, or not storable as text', async () => {
    for (const sub of [undefined, null, '', 0, 42, true, ['ada'], { name: 'ada' }, 'a\0da', 'ada\ud800', ' ', 'a\nb']) {
      expect(await verifierWith().verify(secretToken({ ...goodClaims, sub }))).toMatchObject({ subject: null });
    }
  });
});

describe('the roles', () => {
  const rolesFrom = async (claims: object | string, JWT_ROLES_CLAIM = 'roles', JWT_ROLE_MAP?: RoleMap) =>
    (await verifierWith({ JWT_ROLES_CLAIM, JWT_ROLE_MAP }).verify(secretToken(claims))).roles;

  it.each([
    ['viewer editor', ['viewer', 'editor']],
    ['  admin  ', ['admin']],
    [['guest'], ['guest']],
    [['Viewer', 'ADMIN', 'root', 'toString', '__proto__', ''], []],
    [['viewer', null, 1, ['admin'], { role: 'admin' }, true], ['viewer']],
    [['viewer editor'], []],
    ['viewer,editor', []],
    [undefined, []],
    [7, []],
    [{ 0: 'admin', length: 1 }, []],
    // As Zitadel sends them.
    [{ editor: { 28: 'example.edu' }, viewer: {}, admin: false, guest: null }, ['editor', 'viewer']],
    ['viewer\teditor', ['viewer', 'editor']],
  ])('of %j are %j', async (roles, expected) => {
    expect(await rolesFrom({ ...goodClaims, roles })).toEqual(expected);
  });

  it.each(['https://example.org/roles', 'realm_access.roles', 'a b', 'constructor', 'sub'])(
    'are read from the claim named %s, taken literally',
    async (name) => {
      expect(await rolesFrom({ ...goodClaims, [name]: 'editor' }, name)).toEqual(['editor']);
    },
  );

  it.each([
    ['realm_access.roles', { realm_access: { roles: ['editor'] } }],
    ['resource_access.our-api.roles', { resource_access: { 'our-api': { roles: 'editor' } } }],
    ['resource_access.our.api.roles', { resource_access: { 'our.api': { roles: ['editor'] } } }],
    ['https://example.org/app.roles', { 'https://example.org/app': { roles: ['editor'] } }],
    ['a.b', { 'a.b': 'editor', a: { b: 'admin' } }],
    ['a.b.c', { a: { x: 1 }, 'a.b': { c: 'editor' } }],
  ])('are read from the path %s', async (path, claims) => {
    expect(await rolesFrom({ ...goodClaims, ...claims }, path)).toEqual(['editor']);
  });

  it.each([
    ['realm_access.roles', { realm_access: null }],
    ['realm_access.roles', { realm_access: 'admin' }],
    ['realm_access.roles', { realm_access: { roles: { roles: 'admin' } } }],
    ['realm_access.roles', { roles: 'admin' }],
    ['roles.', { roles: 'admin' }],
    ['.roles', { roles: 'admin' }],
  ])('are none when there is nothing at the path %s of %j', async (path, claims) => {
    expect(await rolesFrom({ ...goodClaims, ...claims }, path)).toEqual([]);
  });

  it('are not read from inherited claims', async () => {
    const exp = goodClaims.exp;

    expect(await rolesFrom({ exp }, 'constructor')).toEqual([]);
    expect(await rolesFrom({ exp }, 'constructor.name')).toEqual([]);
    expect(await rolesFrom({ exp, roles: [] }, 'roles.length')).toEqual([]);
    expect(await rolesFrom(`{"exp":${exp},"__proto__":{"roles":["admin"]}}`)).toEqual([]);
  });

  it('of an identity provider are what they are mapped to; others grant nothing, not even by our names', async () => {
    const map = parseRoleMap('Staff=editor, it=x=admin ,registrar=editor');
    const mapped = (roles: unknown) => rolesFrom({ ...goodClaims, roles }, 'roles', map);

    expect(await mapped(['Staff'])).toEqual(['editor']);
    expect(await mapped(['it=x', 'registrar', 'Staff'])).toEqual(['admin', 'editor']);
    expect(await mapped('registrar Staff')).toEqual(['editor']);
    expect(await mapped(['admin', 'editor', 'staff', 'toString', '__proto__'])).toEqual([]);
  });

  it('of a text are those of the whole text, as of its list of one, else of its words', async () => {
    const map = parseRoleMap('Registrar Staff=editor,Staff=viewer,Registrar=admin,CN=Deans\\,OU=Staff=viewer');
    const mapped = (roles: unknown) => rolesFrom({ ...goodClaims, roles }, 'roles', map);

    for (const text of ['Registrar Staff', ' Registrar Staff ', 'CN=Deans,OU=Staff']) {
      expect(await mapped(text), text).toEqual(await mapped([text.trim()]));
    }
    expect(await mapped('Registrar Staff')).toEqual(['editor']);
    expect(await mapped('Staff Registrar')).toEqual(['viewer', 'admin']);
    expect(await mapped({ 'Registrar Staff': {}, Students: {} })).toEqual(['editor']);
  });
});

describe('a rejection', () => {
  it('contains nothing of the token', async () => {
    const claims = { exp: goodClaims.exp, sub: 'subject-on-show', 'claim-on-show': 1, iss: 'issuer-on-show' };
    const header = { alg: 'HS256', kid: 'kid-on-show', crit: ['crit-on-show'] };
    const tokens = [
      secretToken(claims),
      secretToken({ ...claims, exp: 1 }),
      writeToken(header, claims),
      secretToken('{"payload-on-show":'),
      'eyJoZWFkZXItb24tc2hvdyI.payload-on-show.signature-on-show',
      'no-token-on-show',
    ];

    for (const token of tokens) {
      const rejection: unknown = await verifierWith({ JWT_ISSUER: 'another' })
        .verify(token)
        .catch((error) => error);
      const shown = inspect(rejection, { depth: null, showHidden: true });

      expect(shown).toContain('API_KEY_INVALID');
      expect(shown).not.toContain('on-show');
      expect(shown).not.toContain(token);
    }
  });
});

describe('a credential', () => {
  it.each([secretToken(), 'eyJhbGciOiJub25lIn0.e30.', 'e30..', 'ewogICJhbGciOiJIUzI1NiJ9.e30.AA'])(
    'is treated as a token when it has three parts and begins with a JSON object: %s',
    (credential) => expect(looksLikeJwt(credential)).toBe(true),
  );

  it.each([
    '',
    '..',
    'uas_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    'an.operators.key-of-24-characters',
    'eyJhbGciOiJub25lIn0.e30',
    'eyJhbGciOiJub25lIn0.e30..',
    'a.b.c.d.e',
    'W10.e30.AAAA',
    'bnVsbA.e30.AAAA',
    'eyJhIjoi_yJ9.e30.AAAA',
    'eyJhbGciOiJub25lIn0.e30.AA=',
    'eyJhbGciOiJub25lIn0.e30.A A',
    ' eyJhbGciOiJub25lIn0.e30.AA',
    'eyJhbGciOiJub25lIn0.e30.AA\n',
  ])('is treated as an API key otherwise: %j', (credential) => expect(looksLikeJwt(credential)).toBe(false));
});
