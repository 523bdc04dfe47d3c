import { roles } from '../../auth/permissions.ts';
import { builder } from './builder.ts';

const descriptions = {
  guest: 'Nothing but what any user may do: read and create branches.',
  viewer: 'May read programs.',
  editor: 'May read, create, change, delete and restore programs and branches.',
  admin: 'May do everything, users, keys and the audit log included.',
} as const;

/** The roles, as GraphQL shows them. */
export const Role = builder.enumType('Role', {
  description: 'What a user may do.',
  values: Object.fromEntries(roles.map((role) => [role, { value: role, description: descriptions[role] }])),
});
