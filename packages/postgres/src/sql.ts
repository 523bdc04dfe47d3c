import type { PoolClient, QueryConfig } from 'pg';
import { type Limit, noLimit, type SharedLimit } from './limits.ts';
import { preparedLengthMax } from './prepared-statements.ts';

// Raw SQL beside Prisma, for hot paths: `queryJson` sends a statement straight to a `pg` connection and gets all rows
// as one JSON text. Inside a Prisma transaction, whose connection is not known, it goes through Prisma.

/** The part of Prisma's client and transactions that is used here. */
export interface PrismaConnection {
  $queryRawUnsafe<Result>(sql: string, ...values: unknown[]): PromiseLike<Result>;
}

/** Runs around each statement, for tracing. */
export type StatementHook = <Result>(sql: string, run: () => Promise<Result>) => Promise<Result>;

/** Runs statements as they are. */
export const noHook: StatementHook = (_sql, run) => run();

export interface Statement {
  /** Named statements are prepared once per connection, unless they are long; dynamic SQL has no name. */
  readonly name?: string | undefined;
  /**
   * Whether the statement is quick by its text and its rows, on tables of any size, so that it may share a connection
   * (pipelining); `alone` with none but its like.
   */
  readonly pipelined?: boolean | 'alone';
  readonly ctes?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A row as JSON: a timestamp is text, a bigint a number. */
export type JsonRow<Row> = {
  readonly [Field in keyof Row]: Row[Field] extends Date
    ? string
    : Row[Field] extends Date | null
      ? string | null
      : Row[Field] extends bigint
        ? number
        : Row[Field];
};

export interface Executor {
  readonly connection: Connection;
  /** Sends `pipelined` statements; defaults to `connection`. */
  readonly pipelinedPool?: Connection | undefined;
  /** Sends those that are `alone`. */
  readonly alonePool?: Connection | undefined;
  /** Undefined inside a transaction. */
  readonly connect?: (() => Promise<PoolClient>) | undefined;
  /** Limits connections, except for `pipelined` statements; absent inside a transaction, which has its own. */
  readonly limit?: Limit | undefined;
  /** What callers share of it. */
  readonly sharedLimit?: SharedLimit | undefined;
  readonly onStatement?: ((sql: string) => void) | undefined;
  readonly hook?: StatementHook | undefined;
  /** Bounds what `queryJson` reads: of more, PostgreSQL makes and sends nothing. */
  readonly rows?: RowsLimit | undefined;
  /** Whether named statements are prepared; false behind PgBouncer, where the next one may reach another session. */
  readonly prepares?: boolean | undefined;
}

interface RowsLimit {
  /** Bytes of rows as JSON that may still be read. */
  readonly left: () => number;
  readonly took: (bytes: number) => void;
  readonly onTooMany: () => Error;
}

interface Connection {
  query<Row extends object>(statement: QueryConfig): Promise<{ readonly rows: Row[] }>;
}

const executors = new WeakMap<PrismaConnection, Executor>();

/** Makes raw SQL of a Prisma client run on connections of its own. */
export function registerExecutor(db: PrismaConnection, executor: Executor): void {
  executors.set(db, executor);
}

/** Outside Prisma, for raw SQL only. */
export class RawConnection {
  readonly executor: Executor;

  constructor(executor: Executor) {
    this.executor = executor;
  }
}

export type AnyTransaction = PrismaConnection | RawConnection;

/** How raw SQL runs: in its transaction, on a registered connection, or else through Prisma. */
export function executorOf(db: AnyTransaction): Executor {
  return db instanceof RawConnection ? db.executor : (executors.get(db) ?? { connection: throughPrisma(db) });
}

/** Needs no hook and no `onStatement`: Prisma's own instrumentation sees these statements. */
function throughPrisma(db: PrismaConnection): Connection {
  return { query: async ({ text, values = [] }) => ({ rows: await db.$queryRawUnsafe(text, ...values) }) };
}

/** Past Prisma where possible: a quarter of the time that it takes for the same rows. */
export function queryJson<Row>(db: AnyTransaction, statement: Statement): Promise<JsonRow<Row>[]> {
  return queryJsonFrom(executorOf(db), statement);
}

/** Runs `queryJson` with an executor at hand. */
export async function queryJsonFrom<Row>(executor: Executor, statement: Statement): Promise<JsonRow<Row>[]> {
  const { ctes = '', text, name, values } = statement;
  const { rows: limit } = executor;
  if (limit === undefined) {
    const sql = `${ctes} SELECT coalesce(json_agg(found), '[]') AS rows FROM (${text}) AS found`;
    return (await send<{ rows: JsonRow<Row>[] }>(executor, statement, sql))[0]?.rows ?? [];
  }
  const sql = `${ctes} ${rowsWithin(text, `$${values.length + 1}::int`)}`;
  const named = { ...statement, ...(name !== undefined && { name: `${name}, limited` }) };
  const read = async (bytesMax: number, pipelined = statement.pipelined ?? false) =>
    (await send<LimitedRows<Row>>(executor, { ...named, pipelined, values: [...values, bytesMax] }, sql))[0];
  const left = limit.left();
  const isShared = statement.pipelined === true && executor.pipelinedPool !== undefined && left > quickBytesMax;
  let row = await read(isShared ? quickBytesMax : left);
  if (isShared && row?.rows == null) row = await read(left, false);
  if (row?.rows == null) throw limit.onTooMany();
  limit.took(row.bytes);
  return row.rows;
}

/** JSON that is made in a few milliseconds: of more, a shared connection makes none. */
export const quickBytesMax = 128_000;

interface LimitedRows<Row> {
  /** `null` when there are too many. */
  readonly rows: JsonRow<Row>[] | null;
  readonly bytes: number;
}

/** What stands before and after the SQL of rows to have each as `json`, with the `bytes` up to its end. */
export const [beforeMeasured, afterMeasured] = [
  'SELECT json, sum(pg_column_size(json)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (SELECT row_to_json(found) AS json FROM (',
  ') AS found OFFSET 0) AS made',
];

const measured = (rows: string): string => `(${beforeMeasured}${rows}${afterMeasured}) AS measured`;

/** SQL of rows as one JSON text, which has no row beyond so many bytes. */
const rowsWithin = (rows: string, bytesMax: string): string => `
  SELECT CASE WHEN coalesce(max(bytes), 0) <= ${bytesMax} THEN coalesce(json_agg(json) FILTER (WHERE bytes <= ${bytesMax}), '[]') END AS rows,
    least(coalesce(max(bytes), 0), 2147483647)::int AS bytes
  FROM ${measured(rows)}`;

/** SQL of the first rows as one JSON text of at most so many bytes. */
export const firstRows = (rows: string, bytesMax: number): string =>
  `(SELECT coalesce(json_agg(json), '[]') FROM ${measured(rows)} WHERE bytes <= ${bytesMax})`;

/**
 * SQL condition: two values of one type differ, NULL being a value. They are compared byte by byte: by a locale of the C
 * library, the texts within JSON may take the square of their length (two of 2,000 emoji most of a second).
 */
export const differ = (one: string, other: string): string => `record_image_ne(ROW(${one}), ROW(${other}))`;

/** Returns rows as the driver reads them: for few rows, of texts, numbers and JSON. */
export function queryRows<Row extends object>(db: AnyTransaction, statement: Statement): Promise<Row[]> {
  return send<Row>(executorOf(db), statement, statement.text);
}

async function send<Row extends object>(executor: Executor, statement: Statement, sql: string): Promise<Row[]> {
  const { name, pipelined = false, values } = statement;
  const {
    connection,
    pipelinedPool,
    alonePool,
    limit = noLimit,
    onStatement,
    hook = noHook,
    prepares = true,
  } = executor;
  const shared = pipelined === 'alone' ? alonePool : pipelinedPool;
  const isPrepared = prepares && sql.length <= preparedLengthMax;
  const query = (on: Connection) => {
    onStatement?.(sql);
    // A plain literal: V8 makes one with a spread slowly, at each statement.
    return hook(sql, () => on.query<Row>({ name: isPrepared ? name : undefined, text: sql, values }));
  };
  const { rows } = await (pipelined !== false && shared !== undefined ? query(shared) : limit(() => query(connection)));
  return rows;
}
