import { hash } from 'node:crypto';
import { createRemoteJWKSet, EncryptJWT, jwtDecrypt, jwtVerify } from 'jose';
import type { Configuration } from 'openid-client';
import * as client from 'openid-client';
import { z } from 'zod';
import { claimAt, type RoleMap, rolesOf } from '../jwt/tokens.ts';
import { type Role, roles } from '../permissions.ts';
import { userName } from '../schemas.ts';
import { flowMs } from './cookies.ts';
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
  OIDC_NAME_CLAIM: z.string().optional(),
  OIDC_DEFAULT_ROLE: z.enum(roles, `OIDC_DEFAULT_ROLE must be one of ${roles.join(', ')}`).optional(),
  PUBLIC_URL: safeAddress('PUBLIC_URL'),
  JWT_ROLES_CLAIM: z.string(),
  JWT_ROLE_MAP: z.custom<RoleMap>().optional(),
});

const flowForm = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: z.string() });

/** OpenID Connect with PKCE. What a sign-in needs until it ends is in an encrypted cookie, so any instance may end it. */
export interface Provider {
  readonly issuer: string;
  /** Where the browser goes, and the content of the cookie until it comes back. */
  begin(returnTo: string): Promise<{ readonly address: URL; readonly flow: string }>;
  /** @throws SignInError */
  finish(path: string, flow: string): Promise<{ readonly identity: Identity; readonly returnTo: string }>;
  /** Where the browser also signs out, if the provider offers that. */
  signOutAddress(): Promise<string | undefined>;
  /** Whose sessions a logout token of the provider ends; rejects any other token. */
  readLogout(token: string): Promise<{ readonly sub?: string | undefined; readonly sid?: string | undefined }>;
}

const timeoutSeconds = 5;
const clockToleranceSeconds = 30;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

const logoutForm = z
  .object({
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.looseObject({ [logoutEvent]: z.object({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

export function createProvider(settings: z.output<typeof providerSettings>, warn: (message: string) => void): Provider {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, PUBLIC_URL } = settings;
  const redirectUri = new URL('/session/callback', PUBLIC_URL).href;
  const flowKey = hash('sha256', JSON.stringify([issuer, clientId, clientSecret]), 'buffer');
  let discovery: Promise<Configuration> | undefined;

  const discover = (): Promise<Configuration> =>
    client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
      { timeout: timeoutSeconds, ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }) },
    );

  /** Once; after a failure, again for the next sign-in. */
  const configuration = async (): Promise<Configuration> => {
    discovery ??= discover();
    try {
      return await discovery;
    } catch (problem) {
      discovery = undefined;
      throw new SignInError('away', problem);
    }
  };

  void configuration().catch(() =>
    warn(
      'The identity provider at OIDC_ISSUER does not respond as one: nobody can sign in there until it does. API keys work.',
    ),
  );

  return {
    issuer,
    begin: async (returnTo) => {
      const config = await configuration();
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.OIDC_SCOPES,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const flow = await new EncryptJWT({ state, nonce, verifier, returnTo })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(new Date(Date.now() + flowMs))
        .encrypt(flowKey);
      return { address, flow };
    },
    finish: async (path, flow) => {
      const { payload } = await jwtDecrypt(flow, flowKey, { clockTolerance: clockToleranceSeconds });
      const { state, nonce, verifier, returnTo } = flowForm.parse(payload);
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, new URL(path, PUBLIC_URL), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new SignInError('failed');
      const isComplete = config.serverMetadata().userinfo_endpoint === undefined;
      const more = isComplete ? {} : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      return { identity: identityOf({ ...more, ...claims }, settings), returnTo };
    },
    signOutAddress: async () => {
      const config = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      const back = new URL('/console', PUBLIC_URL).href;
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: back }).href;
    },
    readLogout: async (token) => {
      const { jwks_uri = '' } = (await configuration()).serverMetadata();
      const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(jwks_uri)), {
        issuer: (await configuration()).serverMetadata().issuer,
        audience: clientId,
        clockTolerance: clockToleranceSeconds,
        maxTokenAge: '5m',
        requiredClaims: ['jti'],
      });
      return logoutForm.parse(payload);
    },
  };
}

type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

function identityOf(claims: Claims, settings: z.output<typeof providerSettings>): Identity {
  const { OIDC_ISSUER: issuer, OIDC_NAME_CLAIM, OIDC_DEFAULT_ROLE, JWT_ROLES_CLAIM, JWT_ROLE_MAP } = settings;
  const held = rolesOf(claimAt(claims, JWT_ROLES_CLAIM), JWT_ROLE_MAP);
  const role: Role | undefined = roles.findLast((each) => held.includes(each)) ?? OIDC_DEFAULT_ROLE;
  if (role === undefined) throw new SignInError('no-role');
  const named = [OIDC_NAME_CLAIM ?? 'preferred_username', 'email', 'sub'].map((claim) => claimAt(claims, claim));
  const name = named.map((claim) => userName('name').safeParse(claim).data).find((each) => each !== undefined);
  if (name === undefined) throw new SignInError('failed');
  const providerSession = typeof claims['sid'] === 'string' ? claims['sid'] : null;
  return { issuer, subject: claims.sub, name, role, providerSession };
}
