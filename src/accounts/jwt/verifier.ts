import { webcrypto } from 'node:crypto';
import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { apiKeyInvalid } from '../../operations/authentication-errors.ts';
import type { Subject, TokenClaims } from '../../operations/caller.ts';
import { openJwks } from './jwks.ts';
import {
  claimAt,
  clockToleranceSeconds,
  type JwtVerifier,
  type JwtVerifierOptions,
  jwtBytesMax,
  rolesOf,
  subjectOf,
  tokenIssuer,
} from './tokens.ts';

/** The last day that Prisma reads from the database: keys made with a token are stored with its end. */
const latestMs = Date.UTC(9999, 11, 31);

/** Creates the verifier of tokens; the host of `JWT_JWKS_URL` need not be up. */
export function createJwtVerifier(options: JwtVerifierOptions, now = Date.now): JwtVerifier {
  const { JWT_SECRET, JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE, warn } = options;
  const jwks = JWT_JWKS_URL === undefined ? undefined : openJwks(JWT_JWKS_URL, warn);

  // Keys by algorithm, so that a public key is never used as an HMAC secret (algorithm confusion).
  const finders = new Map<string, JWTVerifyGetKey>([
    ...(JWT_SECRET === undefined ? [] : [['HS256', secretFinder(JWT_SECRET)] as const]),
    ...(jwks === undefined ? [] : (['RS256', 'ES256', 'EdDSA'] as const).map((name) => [name, jwks.find] as const)),
  ]);
  const findKey: JWTVerifyGetKey = (header, token) => {
    const find = finders.get(header.alg);
    if (find === undefined) throw new errors.JOSEAlgNotAllowed();
    return find(header, token);
  };
  const rules: JWTVerifyOptions = {
    algorithms: [...finders.keys()],
    clockTolerance: clockToleranceSeconds,
    ...(JWT_ISSUER === undefined ? {} : { issuer: JWT_ISSUER }),
    ...(JWT_AUDIENCE === undefined ? {} : { audience: JWT_AUDIENCE }),
  };

  return {
    async verify(token) {
      if (Buffer.byteLength(token) > jwtBytesMax) throw apiKeyInvalid(new Error('The token is too long.'));
      try {
        const { payload } = await jwtVerify(token, findKey, { ...rules, currentDate: new Date(now()) });
        return claimsOf(payload, options);
      } catch (error) {
        throw apiKeyInvalid(reasonOf(error));
      }
    },
    waitsForKeys:
      jwks &&
      (async (token) => {
        if (Buffer.byteLength(token) > jwtBytesMax) return false;
        const { alg = '', ...header } = decodeProtectedHeader(token);
        return finders.get(alg) === jwks.find && jwks.downloadsFor({ ...header, alg });
      }),
    close: () => jwks?.close(),
  };
}

/** Imports the secret once: importing it for each token would double the time of verification. */
function secretFinder(secret: string): JWTVerifyGetKey {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  let key: Promise<webcrypto.CryptoKey> | undefined;
  return () => {
    key ??= webcrypto.subtle.importKey('raw', Buffer.from(secret), hmac, false, ['verify']);
    return key;
  };
}

function claimsOf(payload: JWTPayload, { JWT_ROLES_CLAIM, JWT_ROLE_MAP }: JwtVerifierOptions): TokenClaims {
  if (payload.exp === undefined) throw new errors.JWTInvalid('"exp" claim is missing');
  const subject = subjectOf(payload.sub);
  return {
    subject,
    identity: subject === null ? null : identityOf(subject, payload),
    roles: rolesOf(claimAt(payload, JWT_ROLES_CLAIM), JWT_ROLE_MAP),
    expiresAt: new Date(Math.min(payload.exp * 1_000, latestMs)),
  };
}

/** `sub` stays as it is with an issuer, since it is nobody's name. */
const identityOf = (name: string, { iss, sub = name }: JWTPayload): Subject =>
  iss === undefined ? { issuer: tokenIssuer, subject: name } : { issuer: iss, subject: sub };

/** The cause that may be logged: jose's own errors contain claims or other parts of the token. */
function reasonOf(error: unknown): Error {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
    return new Error(`${error.code} (${error.claim})`);
  }
  if (error instanceof errors.JOSEError) return new Error(error.code);
  return new Error('The key cannot be used.');
}
