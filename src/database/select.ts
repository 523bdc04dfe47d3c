import type { Pool } from 'pg';
import type { Around } from './around.ts';
import type { Database, Transaction } from './client.ts';

/** A statement that reads. */
export interface Statement {
  /** Statements that have a name are prepared once on each connection; those that are made up as needed have none. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A row as JSON carries it: an instant is text. */
export type Told<Row> = {
  readonly [Field in keyof Row]: Row[Field] extends Date
    ? string
    : Row[Field] extends Date | null
      ? string | null
      : Row[Field];
};

interface Source {
  readonly pool: Pool;
  readonly onStatement?: ((sql: string) => void) | undefined;
  readonly around?: Around | undefined;
}

const sources = new WeakMap<Transaction, Source>();

/** Lets `select` read from the pool that a database draws on. */
export function readFrom(db: Database, source: Source): void {
  sources.set(db, source);
}

/**
 * Reads rows: straight from a connection of the pool, or, inside a transaction, by way of the client that holds it.
 * They come as one JSON text. Both together take a quarter of the time that the client takes with rows of its own.
 */
export async function select<Row>(db: Transaction, { name, text, values }: Statement): Promise<Told<Row>[]> {
  const whole = `SELECT coalesce(json_agg(found), '[]') AS rows FROM (${text}) AS found`;
  const source = sources.get(db);
  if (source === undefined) {
    const [answer] = await db.$queryRawUnsafe<{ rows: Told<Row>[] }[]>(whole, ...values);
    return answer?.rows ?? [];
  }
  source.onStatement?.(whole);
  const config = { text: whole, values, ...(name !== undefined && { name }) };
  const run = () => source.pool.query<{ rows: Told<Row>[] }>(config);
  const { rows } = await (source.around === undefined ? run() : source.around(whole, run));
  return rows[0]?.rows ?? [];
}
