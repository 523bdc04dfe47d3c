import { ServiceError } from '@service/errors';
import { type AnyTransaction, queryJson } from '@service/postgres/sql';
import { actorFrom, actorValues, noteEntries } from '../../accounts/audit/audit.ts';
import { takeTurn } from '../../database/locks.ts';
import type { Actor } from '../../operations/caller.ts';
import { problem } from '../../validation/problems.ts';
import { notFound } from '../../validation/validate.ts';

export const viewLists = ['programs', 'branches'] as const;

/** The filter, order and columns of a list under a name. */
export interface View {
  readonly id: number;
  readonly list: (typeof viewLists)[number];
  readonly name: string;
  readonly search: string;
  readonly isShared: boolean;
  readonly userId: number | null;
  /** Null once the user is deleted. */
  readonly owner: string | null;
}

type NewView = Pick<View, 'list' | 'name' | 'search' | 'isShared'>;

const viewsMax = 100;

const columns = `id, list, name, search, is_shared AS "isShared", user_id AS "userId",
  (SELECT name FROM users WHERE users.id = user_id) AS owner`;

/** The user's own, and those for all if wanted; by name. */
export const listViews = (
  db: AnyTransaction,
  { list, userId, withShared }: { list: string; userId: number | null; withShared: boolean },
): Promise<View[]> =>
  queryJson(db, {
    text: `SELECT ${columns} FROM saved_views WHERE list = $1 AND (user_id = $2 OR is_shared AND $3)
      ORDER BY lower(name), name, id`,
    values: [list, userId, withShared],
  });

/** Saves a view of a user, in place of the one with its name. @throws ServiceError `CONFLICT` for too many. */
export async function saveView(tx: AnyTransaction, actor: Actor, userId: number, view: NewView): Promise<View> {
  // One save of a user at a time; changes of users do not wait for it.
  await takeTurn(tx, `views of ${userId}`);
  const own = await queryJson<View>(tx, {
    text: `SELECT ${columns} FROM saved_views WHERE user_id = $1`,
    values: [userId],
  });
  const before = own.find(({ list, name }) => list === view.list && name === view.name);
  if (before === undefined && own.length >= viewsMax) {
    throw new ServiceError('CONFLICT', problem('TOO_MANY_VIEWS', { max: viewsMax }));
  }
  // An upsert would take an identifier for each view that is there.
  const write =
    before === undefined
      ? `INSERT INTO saved_views (user_id, list, name, search, is_shared)
         VALUES ($1, $2::text, $3::text, $4::text, $5::boolean)`
      : `UPDATE saved_views SET search = $4::text, is_shared = $5::boolean, updated_at = CURRENT_TIMESTAMP
         WHERE user_id = $1 AND list = $2::text AND name = $3::text`;
  const [after] = await queryJson<View>(tx, {
    ctes: `WITH saved AS (${write} RETURNING *)`,
    text: `SELECT ${columns} FROM saved`,
    values: [userId, view.list, view.name, view.search, view.isShared],
  });
  if (after === undefined) throw new Error('A view was not saved.');
  await noteShared(tx, actor, before, after);
  return after;
}

/** Deletes a view that the caller may delete: their own, and as an administrator one for all. */
export async function deleteView(
  tx: AnyTransaction,
  actor: Actor,
  id: number,
  { userId, isAdmin }: { userId: number | null; isAdmin: boolean },
): Promise<View> {
  const [view] = await queryJson<View>(tx, {
    text: `SELECT ${columns} FROM saved_views WHERE id = $1::bigint AND (user_id = $2 OR is_shared AND $3) FOR UPDATE`,
    values: [id, userId, isAdmin],
  });
  if (view === undefined) throw notFound('SavedView', BigInt(id).toString());
  await queryJson(tx, {
    ctes: 'WITH gone AS (DELETE FROM saved_views WHERE id = $1)',
    text: 'SELECT',
    values: [view.id],
  });
  await noteShared(tx, actor, view, undefined);
  return view;
}

/** What all see is in the audit log; what somebody has for themselves is not. */
async function noteShared(tx: AnyTransaction, actor: Actor, ...states: (View | undefined)[]): Promise<void> {
  const [before, after] = states.map((view) =>
    view?.isShared ? JSON.stringify({ list: view.list, name: view.name, search: view.search }) : null,
  );
  if (before === after) return;
  const action = before === null ? 'create' : after === null ? 'delete' : 'update';
  const id = states.find((view) => view !== undefined)?.id;
  await queryJson(tx, {
    ctes: `WITH noted AS (${noteEntries} SELECT ${actorFrom(1)}, $6::text, 'SavedView', $7::int, $8::jsonb, $9::jsonb)`,
    text: 'SELECT',
    values: [...actorValues(actor), action, id, before, after],
  });
}
