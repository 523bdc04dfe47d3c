/** Everything that a role can allow (`contract.md` 4). */
export const permissions = ['programs:read', 'programs:write', 'admin'] as const;
export type Permission = (typeof permissions)[number];

/** What each role allows (`contract.md` 4). */
const permissionsOfRole = {
  guest: [],
  viewer: ['programs:read'],
  editor: ['programs:read', 'programs:write'],
  admin: permissions,
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof permissionsOfRole;

/** The roles, from the least to the most that they allow. */
export const roles = ['guest', 'viewer', 'editor', 'admin'] as const satisfies readonly Role[];

/** Whether a text names a role; those from tokens and the database may not. */
export function isRole(text: string): text is Role {
  return Object.hasOwn(permissionsOfRole, text);
}

/** All that several roles allow together. */
export function permissionsOf(held: readonly Role[]): ReadonlySet<Permission> {
  return new Set(held.flatMap((role): readonly Permission[] => permissionsOfRole[role]));
}
