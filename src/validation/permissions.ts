/** Everything that a role can allow (`docs/contract.md` 4). */
export const permissions = ['programs:read', 'programs:write', 'admin'] as const;
export type Permission = (typeof permissions)[number];

/** The roles in order: each may do what those before it may, and what it adds. The texts are those of the schema. */
const inOrder = [
  { name: 'guest', adds: [], may: 'No permissions beyond those of any user: read and create branches.' },
  { name: 'viewer', adds: ['programs:read'], may: 'Can also read programs.' },
  {
    name: 'editor',
    adds: ['programs:write'],
    may: 'Can read, create, update, delete and restore programs and branches.',
  },
  { name: 'admin', adds: ['admin'], may: 'Can do everything, including users, keys and the audit log.' },
] as const satisfies readonly { readonly name: string; readonly adds: readonly Permission[]; readonly may: string }[];

export type Role = (typeof inOrder)[number]['name'];

export const roles: readonly Role[] = inOrder.map(({ name }) => name);
export const lowestRole = inOrder[0].name;

export const descriptionOfRole = (role: Role): string => inOrder[roles.indexOf(role)]?.may ?? '';

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text);
}

/** The role with a stored name. An unknown one, from a newer version or written by hand, is the lowest, which grants nothing. */
export const roleOf = (name: string): Role => (isRole(name) ? name : lowestRole);

/** The highest of several roles; `undefined` without any. */
export const highestOf = (several: readonly Role[]): Role | undefined =>
  roles.findLast((role) => several.includes(role));

/** The lower of two roles. */
export const lowerOf = (one: Role, other: Role): Role => (roles.indexOf(one) < roles.indexOf(other) ? one : other);

const held = new Map<Role, ReadonlySet<Permission>>(
  inOrder.map(({ name }, index) => [name, new Set(inOrder.slice(0, index + 1).flatMap(({ adds }) => adds))]),
);

/** Returns the permissions of a role: the same set each time, which caches are keyed by. */
export const permissionsOf = (role: Role): ReadonlySet<Permission> => held.get(role) ?? new Set();

/** What a caller with a role has. */
export const rightsOf = (role: Role): { readonly role: Role; readonly permissions: ReadonlySet<Permission> } => ({
  role,
  permissions: permissionsOf(role),
});
