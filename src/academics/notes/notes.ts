import { ServiceError } from '@service/errors';
import { type AnyTransaction, type JsonRow, queryJson } from '@service/postgres/sql';
import { actorFrom, actorValues, noteEntries } from '../../accounts/audit/audit.ts';
import type { Colleague } from '../../accounts/colleagues.ts';
import { type Note, Prisma } from '../../generated/prisma/client.ts';
import type { Actor } from '../../operations/caller.ts';
import type { Window } from '../../validation/cursors.ts';
import { problem } from '../../validation/problems.ts';
import { notFound } from '../../validation/validate.ts';
import { kinds } from '../kinds.ts';

/** A person who clears none up shall not find thousands. */
const openMax = 100;

const columns = `id, program_id AS "programId", branch_id AS "branchId", text, author, author_id AS "authorId", addressee,
  addressee_id AS "addresseeId", created_at AS "createdAt", done_at AS "doneAt", done_by AS "doneBy"`;

const withDates = ({ createdAt, doneAt, ...note }: JsonRow<Note>): Note => ({
  ...note,
  createdAt: new Date(createdAt),
  doneAt: doneAt === null ? null : new Date(doneAt),
});

/** A note in the audit log: without its text, so that nothing is left of what is deleted. */
const snapshot = (done: string): string =>
  `jsonb_strip_nulls(jsonb_build_object('programId', program_id, 'branchId', branch_id, 'addressee', addressee, 'done', ${done}))`;
const isDone = 'done_at IS NOT NULL';

interface NoteWrite {
  readonly action: 'create' | 'update' | 'delete';
  /** Without its RETURNING. */
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly before: string;
  readonly after: string;
}

/** Writes a note with its audit entry; `undefined` when the statement writes none. */
async function write(
  tx: AnyTransaction,
  actor: Actor,
  { action, sql, values, before, after }: NoteWrite,
): Promise<Note | undefined> {
  const [note] = await queryJson<Note>(tx, {
    ctes: `WITH written AS (${sql} RETURNING *), noted AS (
        ${noteEntries} SELECT ${actorFrom(values.length + 1)}, '${action}', 'Note', id, ${before}, ${after} FROM written
      )`,
    text: `SELECT ${columns} FROM written`,
    values: [...values, ...actorValues(actor)],
  });
  return note && withDates(note);
}

interface NewNote {
  readonly programId: number | undefined;
  readonly branchId: number | undefined;
  readonly text: string;
  readonly authorId: number | null;
  readonly addressee: Colleague | undefined;
}

/** @throws ServiceError `NOT_FOUND` without the record, `CONFLICT` when it has too many open notes. */
export async function addNote(tx: AnyTransaction, actor: Actor, note: NewNote): Promise<Note> {
  const { programId, branchId, text, authorId, addressee } = note;
  const kind = branchId === undefined ? 'Program' : 'Branch';
  const { table, word } = kinds[kind];
  const id = branchId ?? programId ?? 0;
  const found = `SELECT id FROM ${table} WHERE id = $1::bigint AND deleted_at IS NULL FOR NO KEY UPDATE`;
  const [record] = await queryJson(tx, { text: found, values: [id] });
  if (record === undefined) throw notFound(kind, BigInt(id).toString());
  await requireRoom(tx, { programId: programId ?? null, branchId: branchId ?? null });
  const written = await write(tx, actor, {
    action: 'create',
    sql: `INSERT INTO notes (${word}_id, text, author, author_id, addressee, addressee_id)
      VALUES ($1, $2::text, $3::text, $4::int, $5::text, $6::int)`,
    values: [id, text, actor.name, authorId, addressee?.name ?? null, addressee?.id ?? null],
    before: 'NULL',
    after: snapshot('false'),
  });
  if (written === undefined) throw new Error('A note was not written.');
  return written;
}

type NotedRecord = Pick<Note, 'programId' | 'branchId'>;

/** Counts the open notes of a record that is locked. @throws ServiceError `CONFLICT`. */
async function requireRoom(tx: AnyTransaction, { programId, branchId }: NotedRecord): Promise<void> {
  const [notes] = await queryJson<{ open: number }>(tx, {
    text: `SELECT count(*) AS open FROM notes WHERE (program_id = $1::int OR branch_id = $2::int) AND done_at IS NULL`,
    values: [programId, branchId],
  });
  if (notes !== undefined && notes.open < openMax) return;
  const record = branchId === null ? { kind: 'Program', id: programId ?? 0 } : { kind: 'Branch', id: branchId };
  throw new ServiceError('CONFLICT', problem('TOO_MANY_NOTES', { ...record, max: openMax }));
}

/** Notes on deleted records are found again when these are restored. */
const isFound = `(EXISTS (SELECT FROM programs WHERE programs.id = notes.program_id AND deleted_at IS NULL)
  OR EXISTS (SELECT FROM branches WHERE branches.id = notes.branch_id AND deleted_at IS NULL))`;

export interface NoteFilter {
  readonly ids?: readonly number[] | undefined;
  readonly done?: boolean | undefined;
  /** On this program or its branches. */
  readonly programId?: number | undefined;
  readonly branchId?: number | undefined;
  readonly author?: string | undefined;
  readonly addresseeId?: number | undefined;
}

function matching({ ids, done, programId, branchId, author, addresseeId }: NoteFilter): Prisma.Sql {
  const conditions = [
    Prisma.raw(isFound),
    ids && Prisma.sql`id = ANY (${ids}::int[])`,
    done === undefined ? undefined : Prisma.sql`(${Prisma.raw(isDone)}) = ${done}::boolean`,
    programId === undefined
      ? undefined
      : Prisma.sql`(program_id = ${programId}::bigint OR branch_id IN (SELECT id FROM branches WHERE program_id = ${programId}::bigint))`,
    branchId === undefined ? undefined : Prisma.sql`branch_id = ${branchId}::bigint`,
    author === undefined ? undefined : Prisma.sql`author = ${author}::text`,
    addresseeId === undefined ? undefined : Prisma.sql`addressee_id = ${addresseeId}::bigint`,
  ];
  return Prisma.join(
    conditions.filter((condition) => condition !== undefined),
    ' AND ',
  );
}

type NoteWindow = Pick<Window<number>, 'after' | 'before' | 'backwards'> & { readonly limit: number | null };
const everything: NoteWindow = { limit: null, after: undefined, before: undefined, backwards: false };

/** The notes that match, newest first: those of a window in its direction. */
export async function findNotes(db: AnyTransaction, filter: NoteFilter, window = everything): Promise<Note[]> {
  const { limit, after = null, before = null, backwards } = window;
  const { text, values } = Prisma.sql`SELECT ${Prisma.raw(columns)} FROM notes
    WHERE ${matching(filter)} AND id < coalesce(${after}::bigint, id + 1) AND id > coalesce(${before}::bigint, id - 1)
    ORDER BY id ${Prisma.raw(backwards ? 'ASC' : 'DESC')} LIMIT ${limit}::int`;
  return (await queryJson<Note>(db, { text, values })).map(withDates);
}

export async function countNotes(db: AnyTransaction, filter: NoteFilter): Promise<number> {
  const { text, values } = Prisma.sql`SELECT count(*)::int AS count FROM notes WHERE ${matching(filter)}`;
  const [row] = await queryJson<{ count: number }>(db, { text, values });
  return row?.count ?? 0;
}

/** @throws ServiceError `NOT_FOUND`, as of a note on a deleted record. */
export async function findNote(tx: AnyTransaction, id: number): Promise<Note> {
  const [note] = await findNotes(tx, { ids: [id] });
  if (note === undefined) throw notFound('Note', BigInt(id).toString());
  return note;
}

/** Closes a note, or opens it again. @throws ServiceError `NOT_FOUND`, `CONFLICT` as `addNote`. */
export async function markNote(tx: AnyTransaction, actor: Actor, id: number, done: boolean): Promise<Note> {
  if (!done) {
    const note = await findNote(tx, id);
    const { table } = kinds[note.branchId === null ? 'Program' : 'Branch'];
    const text = `SELECT id FROM ${table} WHERE id = $1::int FOR NO KEY UPDATE`;
    await queryJson(tx, { text, values: [note.branchId ?? note.programId] });
    if (note.doneAt !== null) await requireRoom(tx, note);
  }
  const changed = await write(tx, actor, {
    action: 'update',
    sql: `UPDATE notes SET done_at = CASE WHEN $2::boolean THEN CURRENT_TIMESTAMP END,
        done_by = CASE WHEN $2::boolean THEN $3::text END
      WHERE id = $1::int AND ${isFound} AND (${isDone}) <> $2::boolean`,
    values: [id, done, actor.name],
    before: snapshot(`NOT (${isDone})`),
    after: snapshot(isDone),
  });
  return changed ?? findNote(tx, id);
}

/** @throws ServiceError `NOT_FOUND`. */
export async function deleteNote(tx: AnyTransaction, actor: Actor, id: number): Promise<Note> {
  const deleted = await write(tx, actor, {
    action: 'delete',
    sql: 'DELETE FROM notes WHERE id = $1::bigint',
    values: [id],
    before: snapshot(isDone),
    after: 'NULL',
  });
  return deleted ?? findNote(tx, id);
}
