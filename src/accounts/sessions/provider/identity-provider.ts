import { hash } from 'node:crypto';
import { parsedUrl, ServiceError } from '@service/errors';
import type { Limit } from '@service/postgres/limits';
import { decodeProtectedHeader, EncryptJWT, jwtDecrypt, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { z } from 'zod';
import { highestOf, roles } from '../../../validation/permissions.ts';
import type { RoleMap } from '../../../validation/role-map.ts';
import { claimAt, rolesOf, subjectOf } from '../../jwt/tokens.ts';
import { userName } from '../../schemas.ts';
import { maxAgeMs } from '../cookies.ts';
import { openIdToken, sealIdToken } from '../id-token-cookie.ts';
import type { Arrived } from '../identities.ts';
import { SignInError } from '../sign-in-error.ts';
import { createClientAuthentication } from './client-authentication.ts';
import { checkMetadata, discoveryError } from './discovery.ts';
import { keptFor } from './kept.ts';
import { type FindLogoutKey, openLogoutKeys } from './logout-keys.ts';
import { signInErrorOf } from './provider-errors.ts';
import { createProviderMetadata } from './provider-metadata.ts';

/** An address for secrets: with TLS, or on this machine, for trials. */
const safeAddress = (name: string) =>
  z.string(`${name} is required`).refine((text) => {
    const address = parsedUrl(text);
    if (address?.protocol === 'https:') return true;
    return address?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
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

/** The database stores no NUL, and no half of a character. */
const storable = z.string().refine((text) => text.isWellFormed() && !text.includes('\u0000'));

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const logoutClaims = z
  .object({
    jti: z.string(),
    iat: z.number(),
    sub: storable.optional(),
    sid: storable.optional(),
    events: z.looseObject({ [logoutEvent]: z.object({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

const timeoutSeconds = 5;
const clockTolerance = 30;

export type Provider = ReturnType<typeof createProvider>;

interface Arrival {
  readonly identity: Arrived;
  readonly signOut: string;
}

interface SignOut {
  /** The address at which the provider ends its session. */
  readonly signOut?: string;
  /** The host of the provider, if that cannot be asked to end its session, or may not do so without an ID token. */
  readonly stillSignedInAt?: string;
}

/** Who begins sign-ins needs no key, and takes no connection for each. */
const keyMs = 60_000;

/**
 * Signs people in by OpenID Connect with PKCE. The state of each sign-in is in an encrypted cookie of its own, so any
 * instance may finish it, and each tab has its own.
 */
export function createProvider(settings: Settings, readSecret: () => Promise<string>, warn: (message: string) => void) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret, PUBLIC_URL } = settings;
  /** A stored secret, not one derived from the client secret, which a public client does not have. */
  const cookieKey = keptFor(keyMs, async () =>
    hash('sha256', JSON.stringify([issuer, clientId, await readSecret()]), 'buffer'),
  );
  const { authenticate, check, withEach } = createClientAuthentication(secret);

  const metadata = createProviderMetadata(async () => {
    try {
      const found = await client.discovery(
        new URL(issuer),
        clientId,
        { [client.clockTolerance]: clockTolerance },
        authenticate,
        {
          timeout: timeoutSeconds,
          ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }),
        },
      );
      checkMetadata(found.serverMetadata());
      check(found.serverMetadata());
      return found;
    } catch (problem) {
      throw discoveryError(problem, issuer);
    }
  });
  let logoutKeys: { readonly address: string; readonly find: FindLogoutKey } | undefined;

  /** Throws a failure as a SignInError, one to try again when it may come of metadata that have changed. */
  const rejectAsSignIn = async (problem: unknown): Promise<never> => {
    const error = await signInErrorOf(problem);
    if (error.isFault && (await metadata.haveChanged())) {
      throw new SignInError(
        'failed',
        `${error.message}: the metadata of the provider have changed, and are read again`,
      );
    }
    throw error;
  };
  const firstDiscovery = metadata.current().then(
    () => undefined,
    (problem: SignInError) => warn(problem.message),
  );

  /**
   * Returns the address of the authorization request; its parameters are pushed where the provider takes them so (PAR).
   */
  const authorizationAddress = async (parameters: Record<string, string>): Promise<URL> => {
    const provider = await metadata.current();
    const server = provider.serverMetadata();
    if (server.pushed_authorization_request_endpoint === undefined) {
      return client.buildAuthorizationUrl(provider, parameters);
    }
    return withEach(server, () => client.buildAuthorizationUrlWithPAR(provider, parameters));
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
        code_challenge: hash('sha256', verifier, 'base64url'),
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

    /**
     * Returns the identity of the person who comes back with these parameters, and the content of the cookie by which
     * they sign out at the provider, too. @throws SignInError
     */
    finish: async (search: string, { state, nonce, verifier }: Begun): Promise<Arrival> => {
      const provider = await metadata.current();
      const server = provider.serverMetadata();
      const ask = () =>
        client.authorizationCodeGrant(provider, new URL(`${PUBLIC_URL}/session/callback${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
      const tokens = await withEach(server, ask).catch(rejectAsSignIn);
      const claims = tokens.claims();
      if (claims === undefined) throw new SignInError('misconfigured', 'there is no ID token');
      const more =
        server.userinfo_endpoint !== undefined &&
        (await client.fetchUserInfo(provider, tokens.access_token, claims.sub).catch(rejectAsSignIn));
      const identity = identityOf({ ...more, ...claims }, settings);
      return { identity, signOut: await sealIdToken(tokens.id_token ?? '', await cookieKey()) };
    },

    /** Returns how the browser signs out of this issuer, too; `undefined` for a user of another. */
    signOutOf: async (userIssuer: string | null, cookie: string): Promise<SignOut | undefined> => {
      if (userIssuer !== issuer) return undefined;
      const host = new URL(issuer).host;
      const provider = await metadata.current().catch(() => undefined);
      if (provider?.serverMetadata().end_session_endpoint === undefined) return { stillSignedInAt: host };
      const idToken = await openIdToken(cookie, await cookieKey());
      const { href: signOut } = client.buildEndSessionUrl(provider, {
        post_logout_redirect_uri: `${PUBLIC_URL}/console`,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      });
      return idToken === undefined ? { signOut, stillSignedInAt: host } : { signOut };
    },

    /**
     * Returns the subject whose sessions a logout token ends; rejects any other token. Its signature is verified in turn,
     * once the key is there: the provider may have to be asked for that.
     */
    readLogout: async (token: string, inTurn: Limit) => {
      const read = async () => {
        const { jwks_uri: address = '', issuer } = (await metadata.current()).serverMetadata();
        if (logoutKeys?.address !== address) {
          logoutKeys = { address, find: openLogoutKeys(new URL(address), timeoutSeconds * 1_000) };
        }
        const key = await logoutKeys.find(decodeProtectedHeader(token));
        const rules = { issuer, audience: clientId, clockTolerance, maxTokenAge: '5m', requiredClaims: ['jti'] };
        const { payload } = await inTurn(() => jwtVerify(token, key, rules));
        return { ...logoutClaims.parse(payload), issuer };
      };
      try {
        return await read();
      } catch (problem) {
        if (problem instanceof ServiceError || !(await metadata.haveChanged())) throw problem;
        return read();
      }
    },
  };
}

function identityOf(claims: client.IDToken, settings: Settings): Arrived {
  if (subjectOf(claims.sub) === null) {
    throw new SignInError('misconfigured', 'the claim sub is not on one line of 1 to 255 visible characters');
  }
  const claim = claimAt(claims, settings.JWT_ROLES_CLAIM) ?? undefined;
  const held = rolesOf(claim, settings.JWT_ROLE_MAP);
  const firstRole = settings.OIDC_DEFAULT_ROLE;
  const role = claim === undefined ? undefined : (highestOf(held) ?? firstRole);
  if (claim !== undefined && role === undefined) throw new SignInError('no-role');
  const [name] = [settings.OIDC_NAME_CLAIM, 'email', 'sub'].flatMap(
    (claim) => userName('name').safeParse(claimAt(claims, claim)).data ?? [],
  );
  if (name === undefined) throw new SignInError('misconfigured', 'no claim has a name that a user can have');
  const providerSession = storable.safeParse(claims['sid']).data ?? null;
  const issuedAt = new Date(claims.iat * 1_000);
  return { issuer: claims.iss, subject: claims.sub, name, role, firstRole, providerSession, issuedAt };
}
