import { z } from 'zod';
import { orAbsent } from '../../academics/optional.ts';
import { createKey, findOrAddUser, listKeys, revokeKey, rotateKey, stateOf } from '../../auth/accounts.ts';
import { newKey, rotation, userName } from '../../auth/schemas.ts';
import type { ApiKey } from '../../generated/prisma/client.ts';
import { builder } from './builder.ts';
import { Role } from './role.ts';
import { withInput } from './with-input.ts';

const KeyState = builder.enumType('KeyState', {
  description: 'Where an API key is in its life.',
  values: {
    active: { description: 'It works.' },
    expired: { description: 'Its time is over.' },
    revoked: { description: 'It was revoked.' },
  },
});

builder.prismaObject('ApiKey', {
  description: 'An API key. The key itself is shown once, when it is made; only a hash of it is stored.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the key.' }),
    prefix: t.exposeString('prefix', { description: 'The first characters of the key, to recognize it.' }),
    name: t.exposeString('name', { description: 'What the key is for; may be empty.' }),
    user: t.field({
      type: 'User',
      description: 'The user that the key belongs to.',
      resolve: (key, _args, { loaders }) => loaders.user.load(key.userId),
    }),
    readOnly: t.exposeBoolean('readOnly', { description: 'Whether the key may only read, whatever its user may do.' }),
    state: t.field({
      type: KeyState,
      description: 'Whether the key works, or why it does not.',
      resolve: async (key, _args, { loaders }) => stateOf(key, await loaders.now.load('now')),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key stops working by itself, if it does.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The minute in which the key was last used.',
    }),
  }),
});

const NewApiKey = builder.objectRef<{ readonly key: string; readonly apiKey: ApiKey }>('NewApiKey').implement({
  description: 'A key that was just made.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'The key itself, shown this once and never again.',
      extensions: { secret: true },
    }),
    apiKey: t.expose('apiKey', { type: 'ApiKey', description: 'What is stored of it.' }),
  }),
});

builder.queryField('apiKeys', (t) =>
  t.field({
    type: ['ApiKey'],
    description: 'All API keys, or those of one user, in the order of their ids.',
    access: 'admin',
    args: { user: t.arg.string({ description: 'Only the keys of the user of this name.' }) },
    ...withInput(z.object({ user: orAbsent(userName('user')) }), ({ user }, { db }) => listKeys(db, user)),
  }),
);

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: NewApiKey,
    description: 'Makes an API key for a user, and the user when there is none of that name and a role is given.',
    access: 'admin',
    args: {
      user: t.arg.string({ required: true, description: 'The name of the user.' }),
      role: t.arg({ type: Role, description: 'The role of the user, who is added with it when not there yet.' }),
      name: t.arg.string({ description: 'What the key is for: one line, at most 255 characters.' }),
      expiresIn: t.arg.string({ description: 'How long the key works, such as `90d`; for ever when absent.' }),
      readOnly: t.arg.boolean({ description: 'Whether the key may only read.' }),
    },
    ...withInput(newKey, ({ user: owner, role, name, expiresIn, readOnly }, context) =>
      context.write('access', async (tx, actor) => {
        const user = await findOrAddUser(tx, actor, owner, role);
        const lifetime = expiresIn === undefined ? {} : { lifetimeMs: expiresIn };
        const { key, secret } = await createKey(tx, actor, user, { name, readOnly, ...lifetime });
        return { key: secret, apiKey: key };
      }),
    ),
  }),
);

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: 'ApiKey',
    description: 'Revokes an API key: it stops working on every instance within a second.',
    access: 'admin',
    args: { id: t.arg.int({ required: true, description: 'Identifier of the key.' }) },
    ...withInput(z.object({ id: z.int() }), ({ id }, context) =>
      context.write('access', (tx, actor) => revokeKey(tx, actor, id)),
    ),
  }),
);

builder.mutationField('rotateApiKey', (t) =>
  t.field({
    type: NewApiKey,
    description: 'Makes a key to take the place of another, which goes on working for the overlap.',
    access: 'admin',
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the key to be replaced.' }),
      overlap: t.arg.string({
        description: 'How long the old key goes on working, such as `24h`; not at all when absent.',
      }),
    },
    ...withInput(rotation, ({ id, overlap }, context) =>
      context.write('access', async (tx, actor) => {
        const { key, secret } = await rotateKey(tx, actor, id, overlap);
        return { key: secret, apiKey: key };
      }),
    ),
  }),
);
