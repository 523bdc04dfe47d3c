import type { ApiKey } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { upperCaseValues } from '../../graphql/enum-values.ts';
import { Node } from '../../graphql/node-interface.ts';
import { withQueryAndInput, withWrite } from '../../graphql/with-input.ts';
import { identifier } from '../../validation/identifier.ts';
import { keyStates, stateOf } from '../keys/api-key.ts';
import { changeKey, createKey, matching, revokeKey, rotateKey } from '../keys/keys.ts';
import { keyChanges, keyListRequest, newKey, rotation } from '../schemas.ts';
import { findOrAddUser } from '../users.ts';
import { RoleEnum } from './user.ts';

const KeyState = builder.enumType('KeyState', {
  description: 'State of an API key.',
  values: upperCaseValues(keyStates, {
    active: 'The key is valid.',
    expired: 'The key has expired.',
    revoked: 'The key was revoked.',
  }),
});

const ApiKeyFilter = builder.inputType('ApiKeyFilter', {
  description: 'Filter of a list of API keys. All given conditions must match.',
  fields: (t) => ({
    user: t.string({ description: 'Name of the user; `NOT_FOUND` when there is none.' }),
    userId: t.int({ description: 'Identifier of the user.' }),
    state: t.field({ type: KeyState, description: 'State of the key.' }),
    expiresBefore: t.field({
      type: 'DateTime',
      description: 'Expires, or expired, before this time. With `state: ACTIVE`: expires soon.',
    }),
    unusedSince: t.field({
      type: 'DateTime',
      description: 'Last used before this time, or created before it and never used.',
    }),
  }),
});

builder.prismaObject('ApiKey', {
  interfaces: [Node],
  description: 'An API key. The key itself is shown once, when it is created; only its hash is stored.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the key.' }),
    prefix: t.exposeString('prefix', { description: 'The first characters of the key, to identify it.' }),
    name: t.exposeString('name', { description: 'What the key is for; may be empty.' }),
    user: t.field({
      type: 'User',
      description: 'The user that the key belongs to.',
      // Not a relation: the keys of the user of each key, and so on, would be read and held for each of them.
      resolve: (key, _args, { loaders }) => loaders.user.load(key.userId),
    }),
    readOnly: t.exposeBoolean('readOnly', {
      description: "Whether the key is read-only, regardless of its user's role.",
    }),
    state: t.field({
      type: KeyState,
      description: 'Whether the key is valid, or why not.',
      resolve: async (key, _args, { loaders }) => stateOf(key, await loaders.now.load('now')),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was created.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; `null` if never.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was last used, to the minute.',
    }),
  }),
});

const NewApiKey = builder.objectRef<{ readonly key: string; readonly apiKey: ApiKey }>('NewApiKey').implement({
  description: 'A newly created API key.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'The key itself. It is not shown again.',
      extensions: { secret: true },
    }),
    apiKey: t.expose('apiKey', { type: 'ApiKey', description: 'The stored record of the key.' }),
  }),
});

builder.queryField('apiKeys', (t) =>
  t.prismaField({
    type: ['ApiKey'],
    description: 'API keys, ordered by id.',
    access: 'admin',
    args: { filter: t.arg({ type: ApiKeyFilter, description: 'Filter; all keys when absent.' }) },
    ...withQueryAndInput(keyListRequest, async (query, { filter }, { db }) =>
      db.apiKey.findMany({ ...query, where: await matching(db, filter), orderBy: { id: 'asc' } }),
    ),
  }),
);

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: NewApiKey,
    description: 'Creates an API key for a user. If the user does not exist and a role is given, creates the user too.',
    access: 'admin',
    args: {
      user: t.arg.string({ required: true, description: 'The name of the user.' }),
      role: t.arg({ type: RoleEnum, description: 'Role of the user, if the user is to be created.' }),
      name: t.arg.string({ description: 'What the key is for: one line, at most 255 characters.' }),
      expiresIn: t.arg.string({
        description: 'How long the key is valid, such as `90d`; without limit when absent or `never`.',
      }),
      readOnly: t.arg.boolean({ description: 'Whether the key is read-only.' }),
    },
    ...withWrite(newKey, 'access', async ({ user: owner, role, name, expiresIn, readOnly }, { tx, actor }) => {
      const user = await findOrAddUser(tx, actor, owner, role);
      const lifetime = expiresIn === undefined ? {} : { lifetimeMs: expiresIn };
      const { key, secret } = await createKey(tx, actor, user, { name, readOnly, ...lifetime });
      return { key: secret, apiKey: key };
    }),
  }),
);

builder.mutationField('updateApiKey', (t) =>
  t.field({
    type: 'ApiKey',
    description:
      'Changes the name of an API key, or when it expires. Arguments that are absent or `null` change nothing.',
    access: 'admin',
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the key.' }),
      name: t.arg.string({ description: 'What the key is for: one line, at most 255 characters.' }),
      expiresIn: t.arg.string({
        description: 'How long an active key is valid from now on, such as `90d`, or `never` for no limit.',
      }),
    },
    ...withWrite(keyChanges, 'access', ({ id, name, expiresIn }, { tx, actor }) =>
      changeKey(tx, actor, id, { name, lifetimeMs: expiresIn }),
    ),
  }),
);

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: 'ApiKey',
    description: 'Revokes an API key. All instances reject it within a second.',
    access: 'admin',
    args: { id: t.arg.int({ required: true, description: 'Identifier of the key.' }) },
    ...withWrite(identifier, 'access', ({ id }, { tx, actor }) => revokeKey(tx, actor, id)),
  }),
);

builder.mutationField('rotateApiKey', (t) =>
  t.field({
    type: NewApiKey,
    description: 'Creates a key that replaces another. The old key stays valid for the overlap.',
    access: 'admin',
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the key to replace.' }),
      overlap: t.arg.string({
        description: 'How long the old key stays valid, such as `24h`; not at all when absent.',
      }),
    },
    ...withWrite(rotation, 'access', async ({ id, overlap }, { tx, actor }) => {
      const { key, secret } = await rotateKey(tx, actor, id, overlap);
      return { key: secret, apiKey: key };
    }),
  }),
);
