import { hash } from 'node:crypto';
import { EncryptJWT, type JWTVerifyGetKey, jwtDecrypt, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { z } from 'zod';
import { roles } from '../../operations/permissions.ts';
import { claimAt, type RoleMap, rolesOf } from '../jwt/tokens.ts';
import { userName } from '../schemas.ts';
import { createClientAuthentication } from './client-authentication.ts';
import { maxAgeMs } from './cookies.ts';
import { checkMetadata, discoveryError } from './discovery.ts';
import { openLogoutKeys } from './logout-keys.ts';
import { signInErrorOf } from './provider-errors.ts';
import type { Identity } from './sessions.ts';
import { SignInError } from './sign-in-error.ts';

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
type Begun = z.output<typeof begun>;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const logoutClaims = z
  .object({
    jti: z.string(),
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.looseObject({ [logoutEvent]: z.object({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

const timeoutSeconds = 5;
const clockTolerance = 30;

export type Provider = ReturnType<typeof createProvider>;

/**
 * Signs people in by OpenID Connect with PKCE. The state of each sign-in is in an encrypted cookie of its own, so any
 * instance may finish it, and each tab has its own.
 */
export function createProvider(settings: Settings, readSecret: () => Promise<string>, warn: (message: string) => void) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret, PUBLIC_URL } = settings;
  /** A stored secret, not one derived from the client secret, which a public client does not have. */
  const cookieKey = async (): Promise<Buffer> =>
    hash('sha256', JSON.stringify([issuer, clientId, await readSecret()]), 'buffer');
  const { authenticate, check, withEach } = createClientAuthentication(secret);

  let discovered: Promise<client.Configuration> | undefined;
  let logoutKeys: JWTVerifyGetKey | undefined;
  /** Discovers once; after a failure, again for the next sign-in. */
  const configuration = (): Promise<client.Configuration> => {
    discovered ??= client
      .discovery(new URL(issuer), clientId, { [client.clockTolerance]: clockTolerance }, authenticate, {
        timeout: timeoutSeconds,
        ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }),
      })
      .then((found) => {
        checkMetadata(found.serverMetadata());
        check(found.serverMetadata());
        return found;
      })
      .catch((problem: unknown) => {
        discovered = undefined;
        throw discoveryError(problem, issuer);
      });
    return discovered;
  };
  const firstDiscovery = configuration().then(
    () => undefined,
    (problem: SignInError) => warn(problem.message),
  );

  /**
   * Returns the address of the authorization request; its parameters are pushed where the provider takes them so (PAR).
   */
  const authorizationAddress = async (parameters: Record<string, string>): Promise<URL> => {
    const provider = await configuration();
    const metadata = provider.serverMetadata();
    if (metadata.pushed_authorization_request_endpoint === undefined) {
      return client.buildAuthorizationUrl(provider, parameters);
    }
    return withEach(metadata, () => client.buildAuthorizationUrlWithPAR(provider, parameters));
  };

  return {
    /** Waits for the discovery that begins at once, whether it succeeds or has warned. */
    discovered: () => firstDiscovery,

    /** Returns the address to send the browser to, and the content of the cookie of this state. @throws SignInError */
    begin: async (returnTo: string) => {
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const address = await authorizationAddress({
        redirect_uri: `${PUBLIC_URL}/session/callback`,
        scope: settings.OIDC_SCOPES,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).catch(rejectAsSignIn);
      const cookie = await new EncryptJWT({ state, nonce, verifier, returnTo } satisfies Begun)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(new Date(Date.now() + maxAgeMs.signIn))
        .encrypt(await cookieKey());
      return { address, state, cookie };
    },

    /** Reads the state of a sign-in from its cookie. @throws SignInError when it is too old, or of another provider */
    readBegun: async (cookie: string): Promise<Begun> => {
      const read = await jwtDecrypt(cookie, await cookieKey(), { clockTolerance }).catch(() => undefined);
      const { success, data } = begun.safeParse(read?.payload);
      if (!success) throw new SignInError('failed', 'it was begun in another browser, or too long ago');
      return data;
    },

    /** Returns the identity of the person who comes back with these parameters. @throws SignInError */
    finish: async (search: string, { state, nonce, verifier }: Begun): Promise<Identity> => {
      const provider = await configuration();
      const metadata = provider.serverMetadata();
      const ask = () =>
        client.authorizationCodeGrant(provider, new URL(`${PUBLIC_URL}/session/callback${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
      const tokens = await withEach(metadata, ask).catch(rejectAsSignIn);
      const claims = tokens.claims();
      if (claims === undefined) throw new SignInError('misconfigured', 'there is no ID token');
      const more =
        metadata.userinfo_endpoint !== undefined &&
        (await client.fetchUserInfo(provider, tokens.access_token, claims.sub).catch(rejectAsSignIn));
      return identityOf({ ...more, ...claims }, settings);
    },

    /** Returns the address where the browser also signs out of this issuer, if the provider offers that. */
    signOutAddress: async (issuer: string | null): Promise<string | undefined> => {
      const provider = await configuration();
      const metadata = provider.serverMetadata();
      if (metadata.issuer !== issuer || metadata.end_session_endpoint === undefined) return undefined;
      // `id_token_hint` is left out, as it would be a token in an address: the provider may ask whether to sign out.
      return client.buildEndSessionUrl(provider, { post_logout_redirect_uri: `${PUBLIC_URL}/console` }).href;
    },

    /** Returns the subject whose sessions a logout token ends; rejects any other token. */
    readLogout: async (token: string) => {
      const { jwks_uri = '', issuer } = (await configuration()).serverMetadata();
      logoutKeys ??= openLogoutKeys(new URL(jwks_uri), timeoutSeconds * 1_000);
      const { payload } = await jwtVerify(token, logoutKeys, {
        issuer,
        audience: clientId,
        clockTolerance,
        maxTokenAge: '5m',
        requiredClaims: ['jti'],
      });
      return { ...logoutClaims.parse(payload), issuer };
    },
  };
}

const rejectAsSignIn = async (problem: unknown): Promise<never> => {
  throw await signInErrorOf(problem);
};

function identityOf(claims: client.IDToken, settings: Settings): Identity {
  const held = rolesOf(claimAt(claims, settings.JWT_ROLES_CLAIM), settings.JWT_ROLE_MAP);
  const role = roles.findLast((each) => held.includes(each)) ?? settings.OIDC_DEFAULT_ROLE;
  if (role === undefined) throw new SignInError('no-role');
  const [name] = [settings.OIDC_NAME_CLAIM, 'email', 'sub'].flatMap(
    (claim) => userName('name').safeParse(claimAt(claims, claim)).data ?? [],
  );
  if (name === undefined) throw new SignInError('misconfigured', 'no claim has a name that a user can have');
  const providerSession = z.string().safeParse(claims['sid']).data ?? null;
  return { issuer: claims.iss, subject: claims.sub, name, role, providerSession };
}
