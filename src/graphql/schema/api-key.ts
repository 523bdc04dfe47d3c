import { z } from 'zod';
import { identifier } from '../../academics/identifier.ts';
import { orAbsent } from '../../academics/optional.ts';
import { createKey, findOrAddUser, listKeys, revokeKey, rotateKey, stateOf } from '../../auth/accounts.ts';
import { newKey, rotation, userName } from '../../auth/schemas.ts';
import type { ApiKey } from '../../generated/prisma/client.ts';
import { builder } from './builder.ts';
import { Role } from './role.ts';
import { withInput, withWrite } from './with-input.ts';

const KeyState = builder.enumType('KeyState', {
  description: 'State of an API key.',
  values: {
    active: { description: 'The key is valid.' },
    expired: { description: 'The key has expired.' },
    revoked: { description: 'The key was revoked.' },
  },
});

builder.prismaObject('ApiKey', {
  description: 'An API key. The key itself is shown once, when it is created; only its hash is stored.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the key.' }),
    prefix: t.exposeString('prefix', { description: 'The first characters of the key, to identify it.' }),
    name: t.exposeString('name', { description: 'What the key is for; may be empty.' }),
    user: t.field({
      type: 'User',
      description: 'The user that the key belongs to.',
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
  t.field({
    type: ['ApiKey'],
    description: 'All API keys, or those of one user, ordered by id.',
    access: 'admin',
    args: { user: t.arg.string({ description: 'Only the keys of the user with this name.' }) },
    ...withInput(z.object({ user: orAbsent(userName('user')) }), ({ user }, { db }) => listKeys(db, user)),
  }),
);

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: NewApiKey,
    description: 'Creates an API key for a user. If the user does not exist and a role is given, creates the user too.',
    access: 'admin',
    args: {
      user: t.arg.string({ required: true, description: 'The name of the user.' }),
      role: t.arg({ type: Role, description: 'Role of the user, if the user is to be created.' }),
      name: t.arg.string({ description: 'What the key is for: one line, at most 255 characters.' }),
      expiresIn: t.arg.string({ description: 'How long the key is valid, such as `90d`; without limit when absent.' }),
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
