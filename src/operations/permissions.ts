/** Everything that a role can allow (`docs/contract.md` 4). */
export const permissions = ['programs:read', 'programs:write', 'admin'] as const;
export type Permission = (typeof permissions)[number];

const permissionsOfRole = {
  guest: [],
  viewer: ['programs:read'],
  editor: ['programs:read', 'programs:write'],
  admin: permissions,
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof permissionsOfRole;

export const roles = ['guest', 'viewer', 'editor', 'admin'] as const satisfies readonly Role[];

export function isRole(text: string): text is Role {
  return Object.hasOwn(permissionsOfRole, text);
}

/** Callers with the same permissions share one set. */
const sets = new Map<string, ReadonlySet<Permission>>();

/** Returns the permissions of several roles; the same set for equal ones. */
export function permissionsOf(held: readonly Role[]): ReadonlySet<Permission> {
  const all = held.flatMap((role): readonly Permission[] => permissionsOfRole[role]);
  const sorted = permissions.filter((permission) => all.includes(permission));
  const set = sets.get(sorted.join(' ')) ?? new Set(sorted);
  sets.set(sorted.join(' '), set);
  return set;
}
