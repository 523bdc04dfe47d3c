import { z } from 'zod';
import { defineAccountsWrite, defineRead } from '../../operations/operation.ts';
import { identifier } from '../../validation/validate.ts';
import { identityMove, newUser, userChanges } from '../schemas.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { moveIdentity } from '../sessions/identities.ts';
import { addUser, changeUser, deleteUser, lockUser } from '../users.ts';

/** Reads users with the relations that are selected. */
export const listUsers = (query: object) =>
  defineRead({
    name: 'users',
    access: 'admin',
    scope: 'uncacheable',
    input: z.object({}),
    run: (_input, reading) => reading.prisma((db) => db.user.findMany({ ...query, orderBy: { id: 'asc' } })),
  });

export const createUser = defineAccountsWrite({
  name: 'createUser',
  access: 'admin',
  transaction: 'accounts',
  input: newUser,
  run: ({ name, role }, { tx, actor }) => addUser(tx, actor, name, role),
});

export const updateUser = defineAccountsWrite({
  name: 'updateUser',
  access: 'admin',
  transaction: 'accounts',
  input: userChanges,
  run: ({ id, ...changes }, { tx, actor }) => changeUser(tx, actor, { id }, changes),
});

/** Gives the user as before, with the relations that are selected. */
export const deleteUserWith = (query: object) =>
  defineAccountsWrite({
    name: 'deleteUser',
    access: 'admin',
    transaction: 'accounts',
    input: identifier,
    run: async ({ id }, { tx, actor }) => {
      const before = await tx.user.findUnique({ ...query, where: { id } });
      const deleted = await deleteUser(tx, actor, { id });
      return before ?? deleted;
    },
  });

export const moveIdentityOfUser = defineAccountsWrite({
  name: 'moveIdentity',
  access: 'admin',
  transaction: 'accounts',
  input: identityMove,
  run: ({ from, to }, { tx, actor }) => moveIdentity(tx, actor, { id: from }, { id: to }),
});

export const endSessionsOfUser = defineAccountsWrite({
  name: 'endSessions',
  access: 'admin',
  transaction: 'accounts',
  input: identifier,
  run: async ({ id }, { tx, actor }) => {
    const user = await lockUser(tx, { id });
    await endSessions(tx, { userId: id }, actor);
    return user;
  },
});
