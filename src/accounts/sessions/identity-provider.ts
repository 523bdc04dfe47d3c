import { hash } from 'node:crypto';
import { createRemoteJWKSet, EncryptJWT, type JWTVerifyGetKey, jwtDecrypt, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { z } from 'zod';
import { claimAt, type RoleMap, rolesOf } from '../jwt/tokens.ts';
import { roles } from '../permissions.ts';
import { userName } from '../schemas.ts';
import { maxAgeMs } from './cookies.ts';
import { type Identity, SignInError } from './sessions.ts';

/** An address for secrets: with TLS, or on this machine, for trials. */
const safeAddress = (name: string) =>
  z.string(`${name} is required`).refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
  }, `${name} must be an https address (http on this machine alone)`);

export const providerSettings = z.object({
  OIDC_ISSUER: safeAddress('OIDC_ISSUER'),
  OIDC_CLIENT_ID: z.string('OIDC_CLIENT_ID is required'),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_SCOPES: z.string(),
  OIDC_NAME_CLAIM: z.string().default('preferred_username'),
  OIDC_DEFAULT_ROLE: z.enum(roles, `OIDC_DEFAULT_ROLE must be one of ${roles.join(', ')}`).optional(),
  PUBLIC_URL: safeAddress('PUBLIC_URL'),
  JWT_ROLES_CLAIM: z.string(),
  JWT_ROLE_MAP: z.custom<RoleMap>().optional(),
});
type Settings = z.output<typeof providerSettings>;

const begun = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: z.string() });

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const logoutClaims = z
  .object({
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.looseObject({ [logoutEvent]: z.object({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

const timeoutSeconds = 5;
const clockTolerance = 30;

export type Provider = ReturnType<typeof createProvider>;

/** OpenID Connect with PKCE. What a sign-in needs until it ends is in an encrypted cookie, so any instance may end it. */
export function createProvider(settings: Settings, warn: (message: string) => void) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret, PUBLIC_URL } = settings;
  const cookieKey = hash('sha256', JSON.stringify([issuer, clientId, secret]), 'buffer');

  let discovered: Promise<client.Configuration> | undefined;
  /** Kept, as anybody may send a logout token: one of an unknown key asks the provider at most twice a minute. */
  let logoutKeys: JWTVerifyGetKey | undefined;
  /** Once; after a failure, again for the next sign-in. */
  const discover = (): Promise<client.Configuration> => {
    discovered ??= client
      .discovery(
        new URL(issuer),
        clientId,
        { [client.clockTolerance]: clockTolerance },
        secret === undefined ? client.None() : client.ClientSecretPost(secret),
        { timeout: timeoutSeconds, ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }) },
      )
      .catch((problem: unknown) => {
        discovered = undefined;
        throw new SignInError('away', problem);
      });
    return discovered;
  };
  discover().catch(() =>
    warn('The identity provider at OIDC_ISSUER does not respond as one: nobody can sign in until it does. Keys work.'),
  );

  return {
    issuer,

    /** Where the browser goes, and the content of the cookie until it comes back. @throws SignInError */
    begin: async (returnTo: string): Promise<{ readonly address: URL; readonly cookie: string }> => {
      const provider = await discover();
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const address = client.buildAuthorizationUrl(provider, {
        redirect_uri: new URL('/session/callback', PUBLIC_URL).href,
        scope: settings.OIDC_SCOPES,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const cookie = await new EncryptJWT({ state, nonce, verifier, returnTo })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(new Date(Date.now() + maxAgeMs.signIn))
        .encrypt(cookieKey);
      return { address, cookie };
    },

    /** @throws SignInError, and the errors of the libraries */
    finish: async (
      path: string,
      cookie: string,
    ): Promise<{ readonly identity: Identity; readonly returnTo: string }> => {
      const { payload } = await jwtDecrypt(cookie, cookieKey, { clockTolerance });
      const { state, nonce, verifier, returnTo } = begun.parse(payload);
      const provider = await discover();
      const tokens = await client.authorizationCodeGrant(provider, new URL(path, PUBLIC_URL), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new SignInError('failed');
      const hasMore = provider.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore && (await client.fetchUserInfo(provider, tokens.access_token, claims.sub));
      return { identity: identityOf({ ...more, ...claims }, settings), returnTo };
    },

    /** Where the browser also signs out, if the provider offers that. */
    signOutAddress: async (): Promise<string | undefined> => {
      const provider = await discover();
      if (provider.serverMetadata().end_session_endpoint === undefined) return undefined;
      // Without `id_token_hint`, which would be a token in an address: the provider may ask whether to sign out.
      const back = { post_logout_redirect_uri: new URL('/console', PUBLIC_URL).href };
      return client.buildEndSessionUrl(provider, back).href;
    },

    /** Whose sessions a logout token of the provider ends; rejects any other token. */
    readLogout: async (token: string): Promise<z.output<typeof logoutClaims>> => {
      const { jwks_uri = '', issuer } = (await discover()).serverMetadata();
      logoutKeys ??= createRemoteJWKSet(new URL(jwks_uri));
      const { payload } = await jwtVerify(token, logoutKeys, {
        issuer,
        audience: clientId,
        clockTolerance,
        maxTokenAge: '5m',
        requiredClaims: ['jti'],
      });
      return logoutClaims.parse(payload);
    },
  };
}

function identityOf(claims: client.IDToken, settings: Settings): Identity {
  const held = rolesOf(claimAt(claims, settings.JWT_ROLES_CLAIM), settings.JWT_ROLE_MAP);
  const role = roles.findLast((each) => held.includes(each)) ?? settings.OIDC_DEFAULT_ROLE;
  if (role === undefined) throw new SignInError('no-role');
  const [name] = [settings.OIDC_NAME_CLAIM, 'email', 'sub'].flatMap(
    (claim) => userName('name').safeParse(claimAt(claims, claim)).data ?? [],
  );
  if (name === undefined) throw new SignInError('failed');
  const providerSession = z.string().safeParse(claims['sid']).data ?? null;
  return { issuer: settings.OIDC_ISSUER, subject: claims.sub, name, role, providerSession };
}
