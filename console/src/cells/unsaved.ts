import * as z from 'zod/mini';

/** A value that was entered in a cell, until it is saved. */
export const unsavedCell = z.object({
  kind: z.enum(['PROGRAM', 'BRANCH']),
  id: z.int(),
  field: z.string(),
  /** Name of the record, and heading of the column. */
  name: z.string(),
  heading: z.string(),
  typed: z.string(),
  /** The values of the field that the user has seen, or sent: another is one of somebody else. */
  known: z.readonly(z.array(z.string())),
  version: z.int(),
  /** The save that was sent last. Repeated as it was, it gets its first answer, which may have been lost. */
  tried: z.optional(z.object({ key: z.string(), typed: z.string(), version: z.int(), at: z.number() })),
  /** The user who entered it; `null` if they left the page before that. It is sent as theirs alone. */
  by: z.nullable(z.string()),
  /** Whether it could not be sent. */
  waits: z.optional(z.boolean()),
  problem: z.optional(z.string()),
  /** The value of somebody else that it would replace. */
  theirs: z.optional(z.string()),
});
export type UnsavedCell = z.infer<typeof unsavedCell>;

/**
 * The version that was saved, or why nothing was: `again`, the version that it can be saved on; `theirs`, if somebody
 * else has changed the field since. It `waits` when nobody knows, as the service or the session is away, and while its
 * record does not exist.
 */
export type SavedCell =
  | { readonly version: number }
  | { readonly again: number }
  | { readonly waits: true; readonly problem?: string }
  | { readonly problem: string; readonly theirs?: string };

export type Cells = readonly UnsavedCell[];
type Cell = Pick<UnsavedCell, 'kind' | 'id' | 'field'>;

export const recordKey = ({ kind, id }: Omit<Cell, 'field'>): string => `${kind} ${id}`;
export const cellKey = (cell: Cell): string => `${recordKey(cell)} ${cell.field}`;

export const withoutCell = (cells: Cells, cell: Cell): Cells => cells.filter((one) => cellKey(one) !== cellKey(cell));
export const withCell = (cells: Cells, cell: UnsavedCell): Cells => [
  ...withoutCell(cells, cell),
  { tried: cells.find((one) => cellKey(one) === cellKey(cell))?.tried, ...cell },
];

/** The cell as it is sent: what was sent before it comes first, until it is known whether that was saved. */
export type TriedCell = UnsavedCell & { readonly tried: NonNullable<UnsavedCell['tried']> };

/** What can be sent: of each record the first, as the next needs the version that this one makes. */
export const sendableCells = (cells: Cells, by: string, withWaiting: boolean): Cells =>
  cells
    .filter((cell) => cell.by === by && (cell.waits === true ? withWaiting : cell.problem === undefined))
    .filter((cell, at, all) => all.findIndex((one) => recordKey(one) === recordKey(cell)) === at);

/** What is unsaved while nothing can be sent; the same if all of it waits already. */
export function waiting(cells: Cells): Cells {
  const isSettled = ({ waits, problem }: UnsavedCell): boolean => waits === true || problem !== undefined;
  return cells.every(isSettled) ? cells : cells.map((cell) => (isSettled(cell) ? cell : { ...cell, waits: true }));
}

/** What is unsaved after a cell was sent, in which something else may have been typed while it was in flight. */
export const afterSending = (cells: Cells, { tried, ...sent }: TriedCell, outcome: SavedCell): Cells =>
  cells.flatMap((cell) => {
    if (recordKey(cell) !== recordKey(sent)) return [cell];
    if (cell.field !== sent.field) {
      const next = 'waits' in outcome || cell.waits !== true ? cell : { ...cell, waits: false, problem: undefined };
      // What others have saved before that is no version which the user has seen.
      return ['version' in outcome && cell.version === tried.version ? { ...next, version: outcome.version } : next];
    }
    const { waits: _waits, tried: _tried, problem: _problem, ...settled } = cell;
    const known = [...new Set([...cell.known, tried.typed])];
    const isLast = cell.typed === tried.typed;
    if ('problem' in outcome) return [isLast ? { ...settled, ...outcome } : { ...settled, known }];
    if ('waits' in outcome) return [{ ...settled, tried: cell.tried, known, ...outcome }];
    if ('again' in outcome) return [{ ...settled, known, version: outcome.again }];
    // What the user has decided since counts, over whosever value.
    const since = cell.known.slice(Math.max(0, cell.known.indexOf(tried.typed)));
    return isLast ? [] : [{ ...settled, known: since, ...outcome }];
  });

/** Whether a value can be sent as it is: not one that was rejected, has no record, or would replace somebody else's. */
export const isReleasable = ({ problem }: UnsavedCell): boolean => problem === undefined;

/** What is unsaved once the user wants it to be sent. */
export const released = (cells: Cells, by: string): Cells =>
  cells.map((cell) => (isReleasable(cell) ? { ...cell, by, waits: false, problem: undefined } : cell));
