import type { ApiKey } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { upperCaseValues } from '../../graphql/enum-values.ts';
import { byId, Node, readAsNodes } from '../../graphql/node.ts';
import { inputOf, writes } from '../../graphql/performing.ts';
import { perform } from '../../operations/perform.ts';
import { keyKinds, keyState, keyStates } from '../keys/api-key.ts';
import { createApiKey, listKeysWith, revokeApiKey, rotateApiKey, updateApiKey } from '../operations/keys.ts';

const KeyState = builder.enumType('KeyState', {
  description: 'State of an API key.',
  values: upperCaseValues(keyStates, {
    active: 'The key is valid.',
    expired: 'The key has expired, or needs a sign-in of its user at the identity provider.',
    revoked: 'The key was revoked.',
  }),
});

export const KeyKind = builder.enumType('KeyKind', {
  description: 'What an API key is used as.',
  values: upperCaseValues(keyKinds, {
    key: 'A key that its holder sends.',
    session: 'The session of a browser, which keeps its key in a cookie and prolongs it by each use.',
  }),
});

export const keyKindOf = ({ kind }: ApiKey) => (kind === 'session' ? 'session' : 'key');

const ApiKeyFilter = builder.inputType('ApiKeyFilter', {
  description: 'Filter of a list of API keys. All given conditions must match.',
  fields: (t) => ({
    user: t.string({ description: 'Name of the user; `NOT_FOUND` when there is none.' }),
    userId: t.int({ description: 'Identifier of the user.' }),
    kind: t.field({ type: KeyKind, description: 'What the key is used as.' }),
    state: t.field({ type: KeyState, description: 'State of the key.' }),
    expiresBefore: t.field({
      type: 'DateTime',
      description:
        'Expires or expired before this time, or does without a sign-in at the identity provider. With `state: ACTIVE`: expires soon.',
    }),
    unusedSince: t.field({
      type: 'DateTime',
      description: 'Last used before this time, or created before it and never used.',
    }),
  }),
});

// `apiKeys` shows others only their own.
readAsNodes('ApiKey', { access: 'admin' }, async (ids, reading) =>
  byId(await reading.prisma((db) => db.apiKey.findMany({ where: { id: { in: ids.map(Number) } } }))),
);

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
      // Read by a loader, not a relation: that would read the keys of the user of each key, and so on.
      resolve: (key, _args, { reading }) => reading.loaders.user.load(key.userId),
    }),
    readOnly: t.exposeBoolean('readOnly', {
      description: "Whether the key is read-only, regardless of its user's role.",
    }),
    kind: t.field({ type: KeyKind, description: 'What the key is used as.', resolve: keyKindOf }),
    state: t.field({
      type: KeyState,
      description: 'Whether the key is valid, or why not.',
      resolve: async (key, _args, { reading }) => keyState(key, await reading.loaders.now.load('now')),
    }),
    replacedBy: t.int({
      nullable: true,
      description: 'Identifier of the key that replaced it by `rotateApiKey`; `null` if none did.',
      resolve: ({ id }, _args, { reading }) => reading.loaders.replacement.load(id),
    }),
    madeWith: t.exposeInt('madeWith', {
      nullable: true,
      description:
        'Identifier of the key or session that it was made with, with which it is revoked. `null` for one that was made on the command line, with a token, or in a session that began at the identity provider.',
    }),
    revokedWith: t.field({
      type: ['ApiKey'],
      description: 'The keys and sessions that were revoked with it, as they were made with it, ordered by id.',
      resolve: ({ id }, _args, { reading }) => reading.loaders.revokedWith.load(id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was created.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; `null` if never.',
    }),
    signInUntil: t.expose('signInUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when it works unless the person who made it for themselves signs in at the identity provider again, which revives it; `null` for a key that needs no sign-in.',
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
    description:
      "API keys, sessions too, ordered by id: those of all users with the permission `admin`, else one's own.",
    args: { filter: t.arg({ type: ApiKeyFilter, description: 'Filter; all keys when absent.' }) },
    operation: listKeysWith({}),
    resolve: (query, _root, args, { reading }) => perform(listKeysWith(query), () => inputOf(args), reading),
  }),
);

const keyFields = {
  name: 'What the key is for: one line, at most 255 characters.',
  expiresAt: 'When the key expires, in the future. Not together with `expiresIn`.',
  expiresIn: 'How long the key is valid from now on, such as `90d`, or `never`. Not together with `expiresAt`.',
} as const;

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description:
    'A new API key. Without `expiresAt` and `expiresIn` it does not expire, but never later than the key, session or token of the request: `expiresAt` of the result says when.',
  fields: (t) => ({
    userId: t.int({
      description: 'Identifier of the user that the key belongs to; the caller when absent. Of another: `admin`.',
    }),
    name: t.string({ description: `${keyFields.name} Empty when absent.` }),
    expiresAt: t.field({ type: 'DateTime', description: keyFields.expiresAt }),
    expiresIn: t.string({ description: keyFields.expiresIn }),
    readOnly: t.boolean({ description: 'Whether the key is read-only. When absent, those of viewers and guests are.' }),
  }),
});

const UpdateApiKeyInput = builder.inputType('UpdateApiKeyInput', {
  description:
    'Changes to an API key. Fields that are absent stay unchanged. Only an active key can get another expiry; none later than that of the key, session or token of the request.',
  fields: (t) => ({
    name: t.string({ description: keyFields.name }),
    expiresAt: t.field({ type: 'DateTime', description: `${keyFields.expiresAt} With \`null\` it never expires.` }),
    expiresIn: t.string({ description: keyFields.expiresIn }),
  }),
});

const RotateApiKeyInput = builder.inputType('RotateApiKeyInput', {
  description: 'How an API key is replaced.',
  fields: (t) => ({
    overlap: t.string({ description: 'How long the old key stays valid, such as `24h`; not at all when absent.' }),
  }),
});

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKey,
    description:
      'Creates an API key: for oneself, unless `OWN_KEYS` is `false`, or with the permission `admin` for any user. It ends no later than the key, session or token of the request, and is revoked with it, unless that is a session that began at the identity provider. A user has at most 100 active keys.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The new key.' }) },
    ...writes(createApiKey),
  }),
  updateApiKey: t.field({
    type: 'ApiKey',
    description: 'Changes the name of an API key, or when it expires; of others, with the permission `admin`.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the key.' }),
      input: t.arg({ type: UpdateApiKeyInput, required: true, description: 'The changes.' }),
    },
    ...writes(updateApiKey),
  }),
  revokeApiKey: t.field({
    type: 'ApiKey',
    description:
      'Revokes an API key or session, and all keys and sessions that were made with it, which `revokedWith` lists: all instances reject them within a second. Of others, with the permission `admin`.',
    failsWith: ['NOT_FOUND'],
    args: { id: t.arg.int({ required: true, description: 'Identifier of the key.' }) },
    ...writes(revokeApiKey),
  }),
  rotateApiKey: t.field({
    type: NewApiKey,
    description:
      'Creates a key that replaces another, and ends when that would have. The old key stays valid for the overlap, if there is one, which needs the permission `admin` when `OWN_KEYS` is `false`. Of others, with the permission `admin`.',
    failsWith: ['NOT_FOUND', 'CONFLICT'],
    args: {
      id: t.arg.int({ required: true, description: 'Identifier of the key to replace.' }),
      input: t.arg({ type: RotateApiKeyInput, description: 'How; the old key is revoked when absent.' }),
    },
    ...writes(rotateApiKey),
  }),
}));
