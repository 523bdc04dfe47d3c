import type { TokenClaims } from '../../operations/caller.ts';
import { isRole, type Role } from '../../validation/permissions.ts';
import type { RoleMap } from '../../validation/role-map.ts';
import { userName } from '../schemas.ts';

/** The issuer of users of tokens that name none; their subject is the name in it. */
export const tokenIssuer = 'token';

export interface JwtVerifier {
  /** @throws ServiceError `API_KEY_INVALID` (`docs/contract.md` 3); its cause says why, without parts of the token. */
  verify(token: string): Promise<TokenClaims>;
  /** Whether `verify` waits for the keys of another host; absent if there is none. */
  readonly waitsForKeys?: ((token: string) => Promise<boolean>) | undefined;
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

const subjectForm = userName('sub');

/**
 * Normalizes a `sub` like the stored ones, so that a disabled user is rejected in any spelling. A name that no user can
 * have counts as none, as it could be neither disabled nor audited; one with invisible characters too, since without
 * them it may be the name of another.
 */
export function subjectOf(claim: unknown): string | null {
  const name = subjectForm.safeParse(claim).data;
  return typeof claim === 'string' && name === claim.normalize('NFC').trim() ? name : null;
}

/** Finds a claim by its name, else by its path; names may contain dots, too: `resource_access.my.client.roles`. */
export function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const own = new Map<string, unknown>(Object.entries(claims));
  if (own.has(path)) return own.get(path);
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const found = claimAt(own.get(path.slice(0, dot)), path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The roles that a claim names: a list's texts, an object's keys (as Zitadel sends them), or a text, which is one name,
 * else several with spaces between. Other names are ignored.
 */
export function rolesOf(claim: unknown, map: RoleMap | undefined): Role[] {
  if (typeof claim === 'string') {
    const whole = rolesNamed([claim.trim()], map);
    return whole.length > 0 ? whole : rolesNamed(claim.split(/\s+/), map);
  }
  if (Array.isArray(claim)) return rolesNamed(claim, map);
  const entries = Object.entries(claim ?? {});
  return rolesNamed(
    entries.flatMap(([name, value]) => (value === null || value === false ? [] : name)),
    map,
  );
}

function rolesNamed(names: readonly unknown[], map: RoleMap | undefined): Role[] {
  const roles = names.flatMap((name) => (typeof name === 'string' ? (roleOf(name, map) ?? []) : []));
  return [...new Set(roles)];
}

function roleOf(name: string, map: RoleMap | undefined): Role | undefined {
  if (map !== undefined) return map.get(name);
  return isRole(name) ? name : undefined;
}
