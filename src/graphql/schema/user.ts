import { addUser, changeUser, listUsers } from '../../auth/accounts.ts';
import { isRole } from '../../auth/permissions.ts';
import { newUser, userChanges } from '../../auth/schemas.ts';
import { builder } from './builder.ts';
import { Role } from './role.ts';
import { withWrite } from './with-input.ts';

builder.prismaObject('User', {
  description: 'A user of the service. A user owns API keys and has a role, which grants permissions.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the user.' }),
    name: t.exposeString('name', { description: 'Unique name of the user.' }),
    role: t.field({
      type: Role,
      nullable: true,
      description: 'Role of the user; `null` for one that this version does not know, which grants nothing.',
      resolve: ({ role }) => (isRole(role) ? role : null),
    }),
    disabled: t.exposeBoolean('disabled', {
      description: 'Whether the user is disabled: all their keys and tokens are rejected.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user was created.' }),
    keys: t.field({
      type: ['ApiKey'],
      description: 'The API keys of the user in any state, ordered by id.',
      resolve: (user, _args, { loaders }) => loaders.keysOfUser.load(user.id),
    }),
  }),
});

builder.queryField('users', (t) =>
  t.field({
    type: ['User'],
    description: 'All users, ordered by id.',
    access: 'admin',
    resolve: (_root, _args, { db }) => listUsers(db),
  }),
);

builder.mutationField('createUser', (t) =>
  t.field({
    type: 'User',
    description: 'Creates a user.',
    access: 'admin',
    args: {
      name: t.arg.string({
        required: true,
        description: 'Unique name: one line, 1 to 255 characters.',
      }),
      role: t.arg({ type: Role, required: true, description: 'Role of the user.' }),
    },
    ...withWrite(newUser, 'access', ({ name, role }, { tx, actor }) => addUser(tx, actor, name, role)),
  }),
);

builder.mutationField('updateUser', (t) =>
  t.field({
    type: 'User',
    description:
      'Changes the role of a user, or disables or enables the user. The last active administrator cannot be demoted or disabled.',
    access: 'admin',
    args: {
      name: t.arg.string({ required: true, description: 'The name of the user.' }),
      role: t.arg({ type: Role, description: 'The new role.' }),
      disabled: t.arg.boolean({ description: 'Whether the user is disabled.' }),
    },
    ...withWrite(userChanges, 'access', ({ name, role, disabled }, { tx, actor }) =>
      changeUser(tx, actor, name, { ...(role && { role }), ...(disabled !== undefined && { disabled }) }),
    ),
  }),
);
