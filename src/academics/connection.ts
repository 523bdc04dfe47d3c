import { z } from 'zod';
import { identifierMax } from './identifier.ts';
import { validationFailed } from './validate.ts';

const sizeDefault = 20;
/** A larger page is refused and not cut: whoever pages by cursor counts on getting what they asked for. */
const connectionSizeMax = 100;

const size = (field: string) =>
  z
    .int(`${field} must be an integer.`)
    .min(0, `${field} must not be negative.`)
    .max(connectionSizeMax, `${field} must be at most ${connectionSizeMax}.`)
    .nullish();

const cursor = z.string().nullish();

/** The arguments of a connection (GraphQL Cursor Connections, 4), by field name. */
export const connectionRequest = z
  .object({ first: size('first'), after: cursor, last: size('last'), before: cursor })
  .superRefine(({ first, last }, context) => {
    if (typeof first !== 'number' || typeof last !== 'number') return;
    context.addIssue({ code: 'custom', path: ['last'], message: 'last must not be given together with first.' });
  });

/** Which part of an ordered list is asked for. */
export interface Window<Position> {
  /** How many items at most. */
  readonly limit: number;
  /** Only items behind this position. */
  readonly after: Position | undefined;
  /** Only items before this position. */
  readonly before: Position | undefined;
  /** Whether the last of them are asked for, not the first. */
  readonly backwards: boolean;
}

/**
 * Understands the arguments of a connection.
 *
 * @param position what a cursor holds.
 * @throws ServiceError `VALIDATION_FAILED` when a cursor is not one of this list's.
 */
export function windowOf<Schema extends z.ZodType>(
  { first, after, last, before }: z.output<typeof connectionRequest>,
  position: Schema,
): Window<z.output<Schema>> {
  return {
    limit: first ?? last ?? sizeDefault,
    after: positionIn('after', after, position),
    before: positionIn('before', before, position),
    backwards: typeof last === 'number',
  };
}

function positionIn<Schema extends z.ZodType>(
  field: string,
  text: string | null | undefined,
  position: Schema,
): z.output<Schema> | undefined {
  if (text === null || text === undefined) return undefined;
  const found = readCursor(text, position);
  if (found === undefined) throw validationFailed({ [field]: [`${field} must be a cursor that this list has given.`] });
  return found;
}

/** An identifier in a cursor. Anybody can write one, and not every number is an identifier. */
export const positionId = z.int().min(0).max(identifierMax);

/** Characters of a cursor: no name that PostgreSQL can index makes a longer one. */
const cursorLengthMax = 8_192;

/**
 * The position that a cursor holds; `undefined` when it holds none of this kind, or is not what `cursorOf` makes of it:
 * a list gives each position one form.
 */
export function readCursor<Schema extends z.ZodType>(cursor: string, position: Schema): z.output<Schema> | undefined {
  if (cursor.length > cursorLengthMax) return undefined;
  try {
    const found = position.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))).data;
    return found !== undefined && cursorOf(found) === cursor ? found : undefined;
  } catch {
    return undefined;
  }
}

/** An opaque cursor: it holds the position itself, so that it outlives a restart and any change of the list. */
export function cursorOf(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** One part of a list, as the specification of connections shows it. */
export interface Connection<Item> {
  readonly edges: { readonly cursor: string; readonly node: Item }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/**
 * Makes a connection of the rows that were read for a window.
 *
 * @param rows in the direction of the window, and one more than its limit if there are more.
 */
export function connectionOf<Row, Position>(
  rows: readonly Row[],
  window: Window<Position>,
  positionOf: (row: Row) => Position,
): Connection<Row> {
  const within = rows.slice(0, window.limit);
  const edges = (window.backwards ? within.toReversed() : within).map((node) => ({
    cursor: cursorOf(positionOf(node)),
    node,
  }));
  const isMore = rows.length > window.limit;
  return {
    edges,
    pageInfo: {
      hasNextPage: window.backwards ? window.before !== undefined : isMore,
      hasPreviousPage: window.backwards ? isMore : window.after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
