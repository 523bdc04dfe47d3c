import type { Role } from '../permissions.ts';
import type { RoleMap } from './roles.ts';

export interface JwtClaims {
  /** The user's name; `null` when the token has none, so that it has no active user. */
  readonly subject: string | null;
  readonly roles: readonly Role[];
  readonly expiresAt: Date;
}

export interface JwtVerifier {
  /** @throws ServiceError `API_KEY_INVALID` (`docs/contract.md` 3); its cause says why, without parts of the token. */
  verify(token: string): Promise<JwtClaims>;
  close(): void;
}

export interface JwtVerifierOptions {
  readonly JWT_SECRET?: string | undefined;
  readonly JWT_JWKS_URL?: string | undefined;
  readonly JWT_ISSUER?: string | undefined;
  readonly JWT_AUDIENCE?: string | undefined;
  readonly JWT_ROLES_CLAIM: string;
  readonly JWT_ROLE_MAP?: RoleMap | undefined;
  /** Logs a warning for the operator; never a token or a key. */
  readonly warn: (message: string) => void;
}

/** Bounds the work for a client that is not authenticated yet. */
export const jwtBytesMax = 8_192;
/** Tolerance for `exp` and `nbf` (`docs/contract.md` 3). */
export const clockToleranceSeconds = 5;

const tokenForm = /^[\w-]+\.[\w-]*\.[\w-]*$/;

/** Three parts, and the first is a JSON object: an API key that an operator chose may have dots, too. */
export function looksLikeJwt(credential: string): boolean {
  if (!tokenForm.test(credential)) return false;
  if (credential.length > jwtBytesMax) return true;
  try {
    const header: unknown = JSON.parse(Buffer.from(credential.split('.')[0] ?? '', 'base64url').toString());
    return typeof header === 'object' && header !== null;
  } catch {
    return false;
  }
}
