import { type AnyTransaction, queryJson } from '@service/postgres/sql';

/** A user whom others may name: one who can read the catalog. */
export interface Colleague {
  readonly id: number;
  readonly name: string;
}

const active = `NOT disabled AND role <> 'guest'`;

/** All of them, by name. */
export const listColleagues = (db: AnyTransaction): Promise<Colleague[]> =>
  queryJson(db, { text: `SELECT id, name FROM users WHERE ${active} ORDER BY name, id`, values: [] });

/** Blocks the deletion of the user until the commit. */
export async function findColleague(tx: AnyTransaction, id: number): Promise<Colleague | undefined> {
  const [found] = await queryJson<Colleague>(tx, {
    text: `SELECT id, name FROM users WHERE id = $1 AND ${active} FOR KEY SHARE`,
    values: [id],
  });
  return found;
}
