import { builder } from '../../graphql/builder.ts';
import { upperCaseValues } from '../../graphql/enum-values.ts';
import { byId, Node, readAsNodes } from '../../graphql/node.ts';
import { inputOf, writes } from '../../graphql/performing.ts';
import { perform } from '../../operations/perform.ts';
import { descriptionOfRole, isRole, roles } from '../../validation/permissions.ts';
import {
  createUser,
  deleteUserWith,
  endSessionsOfUser,
  listUsers,
  moveIdentityOfUser,
  updateUser,
} from '../operations/users.ts';

export const RoleEnum = builder.enumType('Role', {
  description: 'Role of a user, which grants permissions.',
  values: upperCaseValues(roles, descriptionOfRole),
});

readAsNodes('User', listUsers({}), async (ids, reading) =>
  byId(await reading.prisma((db) => db.user.findMany({ where: { id: { in: ids.map(Number) } } }))),
);

builder.prismaObject('User', {
  interfaces: [Node],
  description: 'A user of the service. A user owns API keys and has a role, which grants permissions.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the user.' }),
    name: t.exposeString('name', { description: 'Unique name of the user.' }),
    role: t.field({
      type: RoleEnum,
      nullable: true,
      description: 'Role of the user; `null` for one that this version does not know, which grants nothing.',
      resolve: ({ role }) => (isRole(role) ? role : null),
    }),
    disabled: t.exposeBoolean('disabled', {
      description: 'Whether the user is disabled: their keys and tokens then grant nothing.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user was created.' }),
    issuer: t.exposeString('issuer', {
      nullable: true,
      description: 'The identity provider of the user (`iss`); `null` for one who has never signed in at one.',
    }),
    subject: t.exposeString('subject', {
      nullable: true,
      description: 'Who the user is at the identity provider (`sub`).',
    }),
    signedInAt: t.expose('signedInAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the user last signed in at the identity provider; `null` for never.',
    }),
    roleFromClaims: t.exposeBoolean('roleFromClaims', {
      description:
        'Whether claims of the identity provider, or of a token, gave the role at the last sign-in: the next one gives it again, whatever role is set until then.',
    }),
    keys: t.relation('keys', {
      description: 'The API keys of the user in any state, ordered by id.',
      query: { orderBy: { id: 'asc' } },
    }),
  }),
});

builder.queryField('users', (t) =>
  t.prismaField({
    type: ['User'],
    description: 'All users, ordered by id.',
    operation: listUsers({}),
    resolve: (query, _root, _args, { reading }) => perform(listUsers(query), () => ({}), reading),
  }),
);

const nameDescription = 'Unique name of the user: one line, 1 to 255 characters.';

const CreateUserInput = builder.inputType('CreateUserInput', {
  description: 'A new user.',
  fields: (t) => ({
    name: t.string({ required: true, description: nameDescription }),
    role: t.field({ type: RoleEnum, required: true, description: 'Role of the user.' }),
  }),
});

const UpdateUserInput = builder.inputType('UpdateUserInput', {
  description: 'Changes to a user. Fields that are absent or `null` stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: nameDescription }),
    role: t.field({ type: RoleEnum, description: 'Role of the user.' }),
    disabled: t.boolean({ description: 'Whether the user is disabled.' }),
  }),
});

builder.mutationFields((t) => ({
  createUser: t.field({
    type: 'User',
    description: 'Creates a user.',
    failsWith: ['CONFLICT'],
    args: { input: t.arg({ type: CreateUserInput, required: true, description: 'The new user.' }) },
    ...writes(createUser),
  }),
  updateUser: t.field({
    type: 'User',
    description:
      'Renames a user, changes the role, or disables or enables the user. The last active administrator cannot be demoted or disabled. The audit log keeps the name that the user had.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the user.' }),
      input: t.arg({ type: UpdateUserInput, required: true, description: 'The changes.' }),
    },
    ...writes(updateUser),
  }),
  deleteUser: t.prismaField({
    type: 'User',
    nullable: true,
    description:
      'Deletes a user who has no active key, with the keys that are revoked or expired; returns the user as before. The last active administrator cannot be deleted. The audit log keeps the name.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the user.' }) },
    operation: deleteUserWith({}),
    resolve: async (query, _root, args, { reading }) => {
      const user = await perform(deleteUserWith(query), () => inputOf(args), reading);
      // The user of the keys that are selected.
      reading.loaders.user.prime(user.id, user);
      return user;
    },
  }),
  moveIdentity: t.field({
    type: 'User',
    description:
      'Ties the identity of one user at the identity provider to another, as whom that person then signs in: after the provider has a new address, or for somebody who had a user before. Sessions that either has begun there, or with a token, end, and so does what was made with tokens. Returns the second user.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: {
      from: t.arg.int({ required: true, description: 'Identifier of the user who has the identity.' }),
      to: t.arg.int({ required: true, description: 'Identifier of the user who gets it, in place of their own.' }),
    },
    ...writes(moveIdentityOfUser),
  }),
  endSessions: t.field({
    type: 'User',
    description:
      'Ends all sessions of a user, who signs in again to go on: all instances reject them within a second. Keys stay as they are.',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the user.' }) },
    ...writes(endSessionsOfUser),
  }),
}));
