import { ServiceError } from '@service/errors';
import { z } from 'zod';
import { findColleague } from '../../accounts/colleagues.ts';
import { userName } from '../../accounts/schemas.ts';
import { takeTurn } from '../../database/locks.ts';
import { defineRead, defineWrite } from '../../operations/operation.ts';
import { connectionOf, connectionRequest, positionId, windowOf } from '../../validation/cursors.ts';
import { withoutInvisible } from '../../validation/invisible.ts';
import { orAbsent, orDefault } from '../../validation/optional.ts';
import { issue, problem } from '../../validation/problems.ts';
import { multiLine } from '../../validation/text.ts';
import { identifier, notFound } from '../../validation/validate.ts';
import { addNote, countNotes, deleteNote, findNote, findNotes, markNote } from './notes.ts';

const optionalId = (field: string) => orAbsent(z.int().min(0, issue('NEGATIVE', { field })));

const oneRecord = { message: 'Give a programId or a branchId.', path: ['programId'] };

const newNote = z
  .object({
    programId: optionalId('programId'),
    branchId: optionalId('branchId'),
    text: multiLine('text', { min: 1, max: 2_000 }).refine(
      (text) => withoutInvisible(text).trim() !== '',
      issue('BLANK', { field: 'text' }),
    ),
    addresseeId: optionalId('addresseeId'),
  })
  .refine(({ programId, branchId }) => (programId === undefined) !== (branchId === undefined), oneRecord);

/** No cached response shows notes. */
const shared = { access: 'programs:write', transaction: 'short', affects: () => ({ ids: [], kinds: [] }) } as const;

export const createNote = defineWrite({
  ...shared,
  name: 'addNote',
  input: newNote,
  run: async ({ addresseeId, ...note }, { tx, actor, request }) => {
    // Whom a note names is not deleted until it is there: one at a time of an author, so that a deletion gets its turn.
    if (addresseeId !== undefined) await takeTurn(tx, `notes by ${request.account}`);
    const addressee = addresseeId === undefined ? undefined : await findColleague(tx, addresseeId);
    if (addresseeId !== undefined && addressee === undefined) throw notFound('User', addresseeId);
    return addNote(tx, actor, { ...note, addressee, authorId: request.caller.userId });
  },
});

export const closeNote = defineWrite({
  ...shared,
  name: 'markNote',
  input: identifier.extend({ done: orDefault(z.boolean(), true) }),
  run: ({ id, done }, { tx, actor }) => markNote(tx, actor, id, done),
});

export const removeNote = defineWrite({
  ...shared,
  name: 'deleteNote',
  input: identifier,
  run: async ({ id }, { tx, actor, request: { caller } }) => {
    const { authorId } = await findNote(tx, id);
    if (!caller.permissions.has('admin') && (authorId === null || authorId !== caller.userId)) {
      throw new ServiceError('FORBIDDEN', problem('NOT_THE_AUTHOR'));
    }
    return deleteNote(tx, actor, id);
  },
});

const noteFilter = z.object({
  done: orAbsent(z.boolean()),
  mine: orDefault(z.boolean(), false),
  programId: optionalId('programId'),
  branchId: optionalId('branchId'),
  author: orAbsent(userName('author')),
});

export const listNotes = defineRead({
  name: 'notes',
  access: 'programs:read',
  scope: 'uncacheable',
  input: z.intersection(connectionRequest, z.object({ filter: orDefault(noteFilter, noteFilter.parse({})) })),
  run: async ({ filter: { mine, ...given }, ...request }, reading) => {
    const filter = { ...given, addresseeId: mine ? (reading.request.caller.userId ?? 0) : undefined };
    const window = windowOf(request, positionId);
    const rows = await findNotes(reading.db, filter, { ...window, limit: window.limit + 1 });
    return { ...connectionOf(rows, window, ({ id }) => id), totalCount: () => countNotes(reading.db, filter) };
  },
});
