import { z } from 'zod';
import type { ApiKey } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { upperCaseValues } from '../../graphql/enum-values.ts';
import { reads } from '../../graphql/performing.ts';
import type { Caller } from '../../operations/caller.ts';
import { defineRead } from '../../operations/operation.ts';
import { permissions } from '../../validation/permissions.ts';
import { inState } from '../keys/api-key.ts';
import { signInSoonMs } from '../keys/sign-in-end.ts';
import { KeyKind, keyKindOf } from './api-key.ts';
import { RoleEnum } from './user.ts';

// A type of its own: `ApiKey` leads to the user and all their keys, and is for administrators.
const ViewerKey = builder.objectRef<ApiKey>('ViewerKey').implement({
  description: 'The API key of the request.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the key.' }),
    prefix: t.exposeString('prefix', { description: 'The first characters of the key, to identify it.' }),
    name: t.exposeString('name', { description: 'What the key is for; may be empty.' }),
    kind: t.field({ type: KeyKind, description: 'What the key is used as.', resolve: keyKindOf }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; `null` if never.',
    }),
  }),
});

const weekMs = 7 * 86_400_000;
const activeKeysOf = (userId: number | null, now: Date) => ({
  userId: userId ?? 0,
  kind: 'key',
  ...inState('active', now),
});

const PermissionEnum = builder.enumType('Permission', {
  description: 'What a user may do. Messages have the stored names: `programs:read` for `PROGRAMS_READ`.',
  values: upperCaseValues(permissions, {
    'programs:read': 'List and read programs.',
    'programs:write': 'Create programs; change, delete and restore programs and branches; list deleted ones.',
    admin: 'Users, keys and the audit log.',
  }),
});

const Viewer = builder.objectRef<Caller>('Viewer').implement({
  description: 'The caller of the request.',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name of the user; `null` when the credential has none.',
    }),
    role: t.field({
      type: RoleEnum,
      nullable: true,
      description: 'Role of the user; `null` when the credential has no active user.',
      resolve: ({ active, role }) => (active ? role : null),
    }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'Permissions of the user.',
      resolve: ({ active, permissions }) => (active ? [...permissions] : []),
    }),
    readOnly: t.exposeBoolean('readOnly', { description: 'Whether the key is read-only.' }),
    expiringKeys: t.field({
      type: [ViewerKey],
      description: 'The active keys of the user that expire within a week, without sessions.',
      resolve: async ({ userId }, _args, { reading }) => {
        const now = await reading.loaders.now.load('now');
        const expiresAt = { lt: new Date(now.getTime() + weekMs) };
        return reading.prisma((db) => db.apiKey.findMany({ where: { ...activeKeysOf(userId, now), expiresAt } }));
      },
    }),
    keysNeedingSignIn: t.field({
      type: [ViewerKey],
      description:
        'The active keys of the user that end within two weeks unless the user signs in at the identity provider, without sessions.',
      resolve: async ({ userId }, _args, { reading }) => {
        const now = await reading.loaders.now.load('now');
        const signInUntil = { lt: new Date(now.getTime() + signInSoonMs) };
        return reading.prisma((db) => db.apiKey.findMany({ where: { ...activeKeysOf(userId, now), signInUntil } }));
      },
    }),
    key: t.field({
      type: ViewerKey,
      nullable: true,
      description: 'The API key of the request; `null` for a token.',
      resolve: ({ keyId }, _args, { reading }) =>
        keyId === null ? null : reading.prisma((db) => db.apiKey.findUnique({ where: { id: keyId } })),
    }),
  }),
});

const readViewer = defineRead({
  name: 'viewer',
  access: 'key',
  scope: 'uncacheable',
  input: z.object({}),
  run: (_input, { request }) => request.caller,
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'The caller of the request and their permissions. Requires a valid credential and no permission.',
    ...reads(readViewer),
  }),
);
