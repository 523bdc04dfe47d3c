import type { LogPosition } from './change-log.ts';

/** How far a subscriber has read the change log: up to a position, and perhaps some of the events after it. */
export interface ResumeCursor extends LogPosition {
  /**
   * Where it is among the entries visible in the snapshot `until`: after all before `id`, and after the first `events`
   * events of that one.
   */
  readonly within?: { readonly until: string; readonly id: number; readonly events: number } | undefined;
}

const number = '([0-9a-z]{1,11})';
const snapshot = '([0-9a-z]{1,11}(?:-[0-9a-z]{1,11})*)';
const cursorForm = new RegExp(
  `^([\\w-]{12})_${number}_${number}_${number}_${snapshot}(?:_${snapshot}_${number}_${number})?$`,
);
/** A snapshot names the transactions in progress: at most one for each connection. */
const lengthMax = 12_000;
const instantMax = Date.UTC(9999, 0);

/** Encodes a place in the log as the id of an event. */
export function encodeCursor({ history, last, snapshot, within }: ResumeCursor): string {
  const parts = [history, base36(last.id), base36(last.xid), base36(last.at.getTime()), packSnapshot(snapshot)];
  if (within !== undefined) parts.push(packSnapshot(within.until), base36(within.id), base36(within.events));
  return parts.join('_');
}

/** Decodes a cursor; `undefined` for any text that `encodeCursor` does not produce. */
export function decodeCursor(id: string): ResumeCursor | undefined {
  const [, history, entry, xid, at, snapshot, until, next, events] =
    (id.length <= lengthMax ? cursorForm.exec(id) : null) ?? [];
  if (history === undefined || snapshot === undefined) return undefined;
  const cursor: ResumeCursor = {
    history,
    last: { id: fromBase36(entry), xid: fromBase36(xid), at: new Date(Math.min(fromBase36(at), instantMax)) },
    snapshot: unpackSnapshot(snapshot),
    ...(until !== undefined && {
      within: { until: unpackSnapshot(until), id: fromBase36(next), events: fromBase36(events) },
    }),
  };
  const numbers = [cursor.last.id, cursor.last.xid, cursor.within?.id ?? 0];
  return numbers.every(Number.isSafeInteger) &&
    isSnapshot(cursor.snapshot) &&
    isSnapshot(cursor.within?.until) &&
    encodeCursor(cursor) === id
    ? cursor
    : undefined;
}

const base36 = (value: number): string => value.toString(36);
const fromBase36 = (text: string | undefined): number => Number.parseInt(text ?? '', 36);

/** Delta encoding: the transaction IDs of a snapshot are long numbers close to each other. */
function packSnapshot(snapshot: string): string {
  const [xmin = 0, xmax = 0, ...running] = numbersOf(snapshot);
  return [xmin, xmax - xmin, ...running.map((xid, index) => xid - (running[index - 1] ?? xmin))].map(base36).join('-');
}

function unpackSnapshot(text: string): string {
  const [xmin = 0, length = 0, ...steps] = text.split('-').map(fromBase36);
  let last = xmin;
  const running = steps.map((step) => {
    last += step;
    return last;
  });
  return `${xmin}:${xmin + length}:${running.join(',')}`;
}

/** The text of a `pg_snapshot` is `xmin:xmax:xid,xid`. */
function numbersOf(snapshot: string): number[] {
  return snapshot.split(/[:,]/).filter(Boolean).map(Number);
}

/** Whether the commit of a transaction is visible in a snapshot, as `pg_visible_in_snapshot` says. */
export function isVisible(xid: number, snapshot: string): boolean {
  const [, xmax = 0, ...running] = numbersOf(snapshot);
  return xid < xmax && !running.includes(xid);
}

function isSnapshot(snapshot: string | undefined): boolean {
  if (snapshot === undefined) return true;
  const [xmin = 0, xmax = 0, ...running] = numbersOf(snapshot);
  const isInOrder = running.every((xid, index) => xid < xmax && (index === 0 || xid > (running[index - 1] ?? 0)));
  return xmin > 0 && xmin <= xmax && xmax <= Number.MAX_SAFE_INTEGER && isInOrder;
}
