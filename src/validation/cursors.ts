import type { FieldProblems } from '@service/errors/problems';
import { z } from 'zod';
import { orAbsent, orDefault } from './optional.ts';
import { identifierMax, validationFailed } from './validate.ts';

const sizeDefault = 20;
/** A larger size is rejected rather than clamped: clients that page by cursor rely on the size that they requested. */
const connectionSizeMax = 100;

const size = (field: string) =>
  z
    .int(`${field} must be an integer.`)
    .min(0, `${field} must not be negative.`)
    .max(connectionSizeMax, `${field} must be at most ${connectionSizeMax}.`)
    .nullish();

const notACursor = (field: string): string => `${field} must be a cursor that this list has returned.`;

/** Reports malformed cursors together with the problems of other arguments; whether one fits the list is checked later. */
const cursor = (field: string) =>
  z
    .string()
    .refine((text) => readCursor(text, z.unknown()) !== undefined, notACursor(field))
    .nullish();

/** The arguments of a connection (GraphQL Cursor Connections, 4), by field name. */
export const connectionRequest = z
  .object({ first: size('first'), after: cursor('after'), last: size('last'), before: cursor('before') })
  .superRefine(({ first, last }, context) => {
    if (typeof first !== 'number' || typeof last !== 'number') return;
    context.addIssue({ code: 'custom', path: ['last'], message: 'last must not be given together with first.' });
  });

/** The argument `first` of a list that is read in one direction. */
export const firstUpTo = (max: number, fallback: number) =>
  orDefault(z.int().min(1, 'first must be at least 1.').max(max, `first must be at most ${max}.`), fallback);

/** The argument `after` of a list whose cursors are decoded in a way of its own. */
export const afterBy = <Cursor>(decode: (text: string) => Cursor | undefined, problem: string) =>
  orAbsent(
    z.string().transform((text, context) => {
      const cursor = decode(text);
      if (cursor === undefined) context.addIssue(problem);
      return cursor;
    }),
  );

export interface Window<Position> {
  readonly limit: number;
  readonly after: Position | undefined;
  readonly before: Position | undefined;
  readonly backwards: boolean;
}

/** @throws ServiceError `VALIDATION_FAILED` for a cursor of another list. */
export function windowOf<Schema extends z.ZodType>(
  { first, after, last, before }: z.output<typeof connectionRequest>,
  position: Schema,
): Window<z.output<Schema>> {
  const problems: FieldProblems = {};
  const positionIn = (field: string, text: string | null | undefined): z.output<Schema> | undefined => {
    if (text === null || text === undefined) return undefined;
    const parsed = readCursor(text, position);
    if (parsed === undefined) problems[field] = [notACursor(field)];
    return parsed;
  };
  const [from, to] = [positionIn('after', after), positionIn('before', before)];
  if (Object.keys(problems).length > 0) throw validationFailed(problems);
  return { limit: first ?? last ?? sizeDefault, after: from, before: to, backwards: typeof last === 'number' };
}

/** An identifier in a cursor. Clients can forge cursors, so it is validated. */
export const positionId = z.int().min(0).max(identifierMax);

/** Characters of a cursor: enough for the longest name that PostgreSQL can index. */
const cursorLengthMax = 8_192;

const scalar = String.raw`(?:"(?:[^"\\]|\\.)*"|\d+)`;
/** The JSON of a position in any list, which is flat: deep values, which clients can forge, take long to parse. */
const flatJson = new RegExp(String.raw`^(?:\d+|\[${scalar}(?:,${scalar})*\])$`);

/** Decodes a cursor; `undefined` when it is not exactly what `cursorOf` returns for a position of this schema. */
export function readCursor<Schema extends z.ZodType>(cursor: string, position: Schema): z.output<Schema> | undefined {
  if (cursor.length > cursorLengthMax) return undefined;
  const json = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!flatJson.test(json)) return undefined;
  try {
    const decoded = position.safeParse(JSON.parse(json)).data;
    return decoded !== undefined && cursorOf(decoded) === cursor ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** Encodes a position as an opaque cursor, which stays valid after restarts and changes of the list. */
export function cursorOf(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** @param found how many rows there are in the direction of the window, with one beyond its limit if there are more. */
export function pageInfoOf(window: Window<unknown>, found: number, cursors: readonly string[]): PageInfo {
  const hasMore = found > window.limit;
  return {
    hasNextPage: window.backwards ? window.before !== undefined : hasMore,
    hasPreviousPage: window.backwards ? hasMore : window.after !== undefined,
    startCursor: cursors[0] ?? null,
    endCursor: cursors.at(-1) ?? null,
  };
}

export interface Connection<Item> {
  readonly edges: { readonly cursor: string; readonly node: Item }[];
  readonly pageInfo: PageInfo;
}

/** @param rows in the direction of the window, with one row beyond its limit if there are more. */
export function connectionOf<Row, Position>(
  rows: readonly Row[],
  window: Window<Position>,
  positionOf: (row: Row) => Position,
): Connection<Row> {
  const page = rows.slice(0, window.limit);
  const edges = (window.backwards ? page.toReversed() : page).map((node) => ({
    cursor: cursorOf(positionOf(node)),
    node,
  }));
  const cursors = edges.map(({ cursor }) => cursor);
  return { edges, pageInfo: pageInfoOf(window, rows.length, cursors) };
}
