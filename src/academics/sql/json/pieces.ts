import { Prisma } from '../../../generated/prisma/client.ts';
import type { Selection } from '../../../operations/selection.ts';

export type JsonType =
  | 'Program'
  | 'ProgramPage'
  | 'ProgramConnection'
  | 'ProgramEdge'
  | 'Branch'
  | 'BranchEdge'
  | 'BranchConnection'
  | 'PageInfo'
  | 'BranchYear'
  | 'Attribute';

/** A value of a row. */
export interface Value {
  /** SQL of its JSON. */
  readonly json: string;
  /** Bytes that it has at least. */
  readonly least: number;
  /** SQL of a text whose bytes it has, too. */
  readonly text?: string;
}

/** SQL of JSON, and of how many bytes that has at least: known before PostgreSQL makes it. */
export interface JsonSql {
  readonly sql: Prisma.Sql;
  readonly least: number;
  /** Bytes beyond these, to be added. */
  readonly more: readonly Prisma.Sql[];
  /** Whether it may have many times the bytes of its records: it repeats a value, or has long keys. */
  readonly isExpanding: boolean;
  /** Whether it has a list of any length. */
  readonly isUnbounded: boolean;
  /** The same JSON, `NULL` when a list has more than a few items; absent where few items may be long. */
  readonly ofFew?: Prisma.Sql | undefined;
}

/** The selected fields of a row as JSON. */
export type Compile = (type: JsonType, fields: readonly Selection[], row: string) => JsonSql;

/** JSON that is the same for all rows, a value of the row, or more. */
export type Piece = string | Value | JsonSql;

/** What has no bytes to count. */
export const uncounted = (sql: Prisma.Sql): JsonSql => ({
  sql,
  least: 0,
  more: [],
  isExpanding: false,
  isUnbounded: false,
});

/** In place of the most bytes of a text, in the values of a statement. */
const bytesMaxMark = Symbol('bytesMax');

/** Whether JSON is small enough to be made. */
export const fits = (bytes: Prisma.Sql): Prisma.Sql => Prisma.sql`${bytes} <= ${bytesMaxMark}::int`;

/** The values of a statement that makes at most so many bytes of JSON. */
export const valuesWithin = (bytesMax: number, values: readonly unknown[]): unknown[] =>
  values.map((value) => (value === bytesMaxMark ? bytesMax : value));

/** How many bytes JSON has at least. The number is a parameter: other keys have the same text. */
export const bytesOf = ({ least, more }: Pick<JsonSql, 'least' | 'more'>): Prisma.Sql =>
  sumOf([Prisma.sql`${least}::int`, ...more]);

export const sumOf = (numbers: readonly Prisma.Sql[]): Prisma.Sql =>
  numbers.length === 0 ? Prisma.raw('0') : Prisma.join([...numbers], ' + ');

/** How many bytes a list has at least. So many rows are read as it needs to be too large. */
export const bytesOfRows = (item: JsonSql, rows: Prisma.Sql, alias: string): Prisma.Sql =>
  Prisma.sql`coalesce((SELECT sum(${bytesOf(item)}) FROM (
    ${rows} LIMIT ${bytesMaxMark}::int / ${Math.max(1, item.least)}::int + 1
  ) AS ${Prisma.raw(alias)}), 0)`;

/** The members of an object, in the order of its fields. */
export function* objectPieces(
  fields: readonly Selection[],
  piecesOf: (field: Selection) => Iterable<Piece>,
): Generator<Piece> {
  yield '{';
  for (const [index, field] of fields.entries()) {
    yield `${index === 0 ? '' : ','}"${field.key}":`;
    yield* piecesOf(field);
  }
  yield '}';
}

/** Longer keys of an object make much of few records. */
const keysMax = 1_000;

/** Pieces as one expression, with what is constant as parameters. A value that repeats is made once for a row. */
export function joined(given: Iterable<Piece>): JsonSql {
  const pieces: Piece[] = [];
  for (const piece of given) {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces.splice(-1, 1, last + piece);
    else pieces.push(piece);
  }
  const values = pieces.filter((piece) => typeof piece !== 'string').filter((piece) => 'json' in piece);
  const parts = pieces.filter((piece) => typeof piece !== 'string').filter((piece) => 'sql' in piece);
  const counts = new Map<string, number>();
  for (const { json } of values) counts.set(json, (counts.get(json) ?? 0) + 1);
  const repeated = [...counts].flatMap(([json, count]) => (count > 1 ? [json] : []));
  const made = new Map(repeated.map((json, place) => [json, `made.v${place}`]));
  const sqlWith = (sqlOf: (part: JsonSql) => Prisma.Sql): Prisma.Sql =>
    concatenated(
      pieces.map((piece) => {
        if (typeof piece === 'string') return Prisma.sql`${piece}::text`;
        return 'sql' in piece ? sqlOf(piece) : Prisma.raw(made.get(piece.json) ?? piece.json);
      }),
    );
  const sql = sqlWith((part) => part.sql);
  const keys = pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : 0), 0);
  const texts = new Map(values.flatMap(({ json, text }) => (text === undefined ? [] : [[json, text] as const])));
  const columns = repeated.map((json, place) => `${json} AS v${place}`);
  const isExpanding = made.size > 0 || keys > keysMax || parts.some(({ isExpanding }) => isExpanding);
  return {
    // Stays a subquery, in which each is made once.
    sql:
      made.size === 0 ? sql : Prisma.sql`(SELECT ${sql} FROM (SELECT ${Prisma.raw(columns.join())} OFFSET 0) AS made)`,
    least: [...values, ...parts].reduce((sum, { least }) => sum + least, keys),
    more: [
      ...[...texts].map(([json, text]) => Prisma.raw(`${counts.get(json)} * coalesce(octet_length(${text}), 0)`)),
      ...parts.flatMap(({ more }) => more),
    ],
    isExpanding,
    isUnbounded: parts.some(({ isUnbounded }) => isUnbounded),
    ofFew:
      !isExpanding && parts.every(({ ofFew }) => ofFew !== undefined)
        ? sqlWith((part) => part.ofFew ?? part.sql)
        : undefined,
  };
}

/** More operands are put together by halves: each `||` copies what it joins. */
const operandsMax = 8;

function concatenated(operands: readonly Prisma.Sql[]): Prisma.Sql {
  if (operands.length <= operandsMax) return Prisma.join([...operands], ' || ');
  const half = Math.ceil(operands.length / 2);
  return Prisma.sql`(${concatenated(operands.slice(0, half))}) || (${concatenated(operands.slice(half))})`;
}

/** PostgreSQL has no base64url, and breaks lines. */
export const base64url = (text: string): string =>
  `translate(encode(convert_to(${text}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`;
