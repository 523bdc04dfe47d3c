import { builder } from '../../graphql/builder.ts';
import { upperCaseValues } from '../../graphql/enum-values.ts';
import { type Role as RoleName, roles } from '../permissions.ts';

const descriptions: Readonly<Record<RoleName, string>> = {
  guest: 'No permissions beyond those of any user: read and create branches.',
  viewer: 'Can also read programs.',
  editor: 'Can read, create, update, delete and restore programs and branches.',
  admin: 'Can do everything, including users, keys and the audit log.',
};

export const Role = builder.enumType('Role', {
  description: 'Role of a user, which grants permissions.',
  values: upperCaseValues(roles, descriptions),
});
