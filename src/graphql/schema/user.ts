import { addUser, changeUser, listUsers } from '../../auth/accounts.ts';
import { isRole } from '../../auth/permissions.ts';
import { newUser, userChanges } from '../../auth/schemas.ts';
import { builder } from './builder.ts';
import { Role } from './role.ts';
import { withInput } from './with-input.ts';

builder.prismaObject('User', {
  description: 'Someone who may use the service. Keys belong to users, and the role of a user says what they may do.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the user.' }),
    name: t.exposeString('name', { description: 'The name of the user, which no other has.' }),
    role: t.field({
      type: Role,
      nullable: true,
      description: 'What the user may do; `null` for a role that this version does not know, which allows nothing.',
      resolve: ({ role }) => (isRole(role) ? role : null),
    }),
    disabled: t.exposeBoolean('disabled', { description: 'Whether the user is shut out, with all keys and tokens.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user was added.' }),
    keys: t.field({
      type: ['ApiKey'],
      description: 'The API keys of the user, whatever their state, in the order of their ids.',
      resolve: (user, _args, { loaders }) => loaders.keysOfUser.load(user.id),
    }),
  }),
});

builder.queryField('users', (t) =>
  t.field({
    type: ['User'],
    description: 'All users, in the order of their ids.',
    access: 'admin',
    resolve: (_root, _args, { db }) => listUsers(db),
  }),
);

builder.mutationField('createUser', (t) =>
  t.field({
    type: 'User',
    description: 'Adds a user.',
    access: 'admin',
    args: {
      name: t.arg.string({
        required: true,
        description: 'A name that no other user has: one line, 1 to 255 characters.',
      }),
      role: t.arg({ type: Role, required: true, description: 'What the user may do.' }),
    },
    ...withInput(newUser, ({ name, role }, context) =>
      context.write('access', (tx, actor) => addUser(tx, actor, name, role)),
    ),
  }),
);

builder.mutationField('updateUser', (t) =>
  t.field({
    type: 'User',
    description: 'Gives a user another role, or disables or enables them. The last active administrator stays one.',
    access: 'admin',
    args: {
      name: t.arg.string({ required: true, description: 'The name of the user.' }),
      role: t.arg({ type: Role, description: 'What the user may do from now on.' }),
      disabled: t.arg.boolean({ description: 'Whether the user is shut out from now on.' }),
    },
    ...withInput(userChanges, ({ name, role, disabled }, context) =>
      context.write('access', (tx, actor) =>
        changeUser(tx, actor, name, { ...(role && { role }), ...(disabled !== undefined && { disabled }) }),
      ),
    ),
  }),
);
