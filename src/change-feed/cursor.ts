import type { LogPosition } from '../database/change-log/change-log.ts';

/** How far somebody has followed the log: everything up to a position, and perhaps some of what came next. */
export interface ResumeCursor extends LogPosition {
  /** Of what is visible in the snapshot `until`, in order: all entries before `id`, and of that one so many events. */
  readonly within?: { readonly until: string; readonly id: number; readonly events: number } | undefined;
}

const number = '([0-9a-z]{1,11})';
const snapshot = '([0-9a-z]{1,11}(?:-[0-9a-z]{1,11})*)';
const written = new RegExp(
  `^([\\w-]{12})_${number}_${number}_${number}_${snapshot}(?:_${snapshot}_${number}_${number})?$`,
);
/** A snapshot names the transactions in progress, of which there are no more than connections. */
const lengthMax = 12_000;
/** The year 9999, the last that is written with four digits. */
const instantMax = Date.UTC(9999, 0);

/** Writes a place down, as the id of the event that leads there. */
export function encodeCursor({ history, last, snapshot, within }: ResumeCursor): string {
  const parts = [history, short(last.id), short(last.xid), short(last.at.getTime()), packed(snapshot)];
  if (within !== undefined) parts.push(packed(within.until), short(within.id), short(within.events));
  return parts.join('_');
}

/** Reads what `idOf` wrote; `undefined` for anything else. */
export function decodeCursor(id: string): ResumeCursor | undefined {
  const [, history, entry, xid, at, snapshot, until, next, events] =
    (id.length <= lengthMax ? written.exec(id) : null) ?? [];
  if (history === undefined || snapshot === undefined) return undefined;
  const place: ResumeCursor = {
    history,
    last: { id: long(entry), xid: long(xid), at: new Date(Math.min(long(at), instantMax)) },
    snapshot: unpacked(snapshot),
    ...(until !== undefined && { within: { until: unpacked(until), id: long(next), events: long(events) } }),
  };
  const numbers = [place.last.id, place.last.xid, place.within?.id ?? 0];
  // Each place is written in one way: what comes out otherwise was not written here.
  return numbers.every(Number.isSafeInteger) &&
    isSnapshot(place.snapshot) &&
    isSnapshot(place.within?.until) &&
    encodeCursor(place) === id
    ? place
    : undefined;
}

const short = (value: number): string => value.toString(36);
const long = (text: string | undefined): number => Number.parseInt(text ?? '', 36);

/** Transactions have long numbers that are close to each other: each is written as what it is more than the one before. */
function packed(snapshot: string): string {
  const [xmin = 0, xmax = 0, ...running] = numbersOf(snapshot);
  return [xmin, xmax - xmin, ...running.map((xid, index) => xid - (running[index - 1] ?? xmin))].map(short).join('-');
}

function unpacked(text: string): string {
  const [xmin = 0, length = 0, ...steps] = text.split('-').map(long);
  let last = xmin;
  const running = steps.map((step) => {
    last += step;
    return last;
  });
  return `${xmin}:${xmin + length}:${running.join(',')}`;
}

/** PostgreSQL writes a snapshot as `xmin:xmax:xid,xid`. */
function numbersOf(snapshot: string): number[] {
  return snapshot.split(/[:,]/).filter(Boolean).map(Number);
}

/** Whether PostgreSQL takes it for a snapshot. */
function isSnapshot(snapshot: string | undefined): boolean {
  if (snapshot === undefined) return true;
  const [xmin = 0, xmax = 0, ...running] = numbersOf(snapshot);
  const isInOrder = running.every((xid, index) => xid < xmax && (index === 0 || xid > (running[index - 1] ?? 0)));
  return xmin > 0 && xmin <= xmax && xmax <= Number.MAX_SAFE_INTEGER && isInOrder;
}
