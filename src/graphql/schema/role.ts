import { roles } from '../../auth/permissions.ts';
import { builder } from './builder.ts';

const descriptions = {
  guest: 'No permissions beyond those of any user: read and create branches.',
  viewer: 'Can also read programs.',
  editor: 'Can read, create, update, delete and restore programs and branches.',
  admin: 'Can do everything, including users, keys and the audit log.',
} as const;

export const Role = builder.enumType('Role', {
  description: 'Role of a user, which grants permissions.',
  values: Object.fromEntries(roles.map((role) => [role, { value: role, description: descriptions[role] }])),
});
