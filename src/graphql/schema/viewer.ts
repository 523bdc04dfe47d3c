import type { Caller } from '../../auth/caller.ts';
import { permissionsOf, roles } from '../../auth/permissions.ts';
import type { ApiKey } from '../../generated/prisma/client.ts';
import { builder } from './builder.ts';
import { Role } from './role.ts';

// Not the type of the administrators, by which one could go on to the user and all their keys.
const ViewerKey = builder.objectRef<ApiKey>('ViewerKey').implement({
  description: 'The API key that a request was sent with.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the key.' }),
    prefix: t.exposeString('prefix', { description: 'The first characters of the key, to recognize it by.' }),
    name: t.exposeString('name', { description: 'What the key is for; may be empty.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key stops working, if it does.',
    }),
  }),
});

const Viewer = builder.objectRef<Caller>('Viewer').implement({
  description: 'Whoever sent the request.',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name of the user; `null` when the credential names none.',
    }),
    role: t.field({
      type: Role,
      nullable: true,
      description: 'What the user may do; `null` when no active user stands behind the credential.',
      // Each role allows all that the lesser ones do: several together allow what the greatest of them allows.
      resolve: ({ active, permissions }) =>
        active ? (roles.find((role) => permissionsOf([role]).size === permissions.size) ?? null) : null,
    }),
    permissions: t.stringList({
      description: 'The permissions of the user: `programs:read`, `programs:write`, `admin`.',
      resolve: ({ active, permissions }) => (active ? [...permissions] : []),
    }),
    readOnly: t.exposeBoolean('readOnly', { description: 'Whether the key may only read.' }),
    key: t.field({
      type: ViewerKey,
      nullable: true,
      description: 'The API key that was used; `null` for a token.',
      resolve: ({ keyId }, _args, { db }) => (keyId === null ? null : db.apiKey.findUnique({ where: { id: keyId } })),
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Who sent the request, and what they may do. Needs a good credential and nothing else.',
    access: 'key',
    resolve: (_root, _args, { caller }) => caller,
  }),
);
