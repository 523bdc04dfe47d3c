import { type LogPosition, type Mark, noMark, numbersOf } from './position.ts';

/** How far a subscriber has read the change log: up to a position, and perhaps some of the events after it. */
export interface ResumeCursor extends LogPosition {
  /**
   * Where it is among the entries up to the position `until`: after all before `id`, and after the first `events` events
   * of that one.
   */
  readonly within?: { readonly until: LogPosition; readonly id: number; readonly events: number } | undefined;
}

const number = '[0-9a-z]{1,11}';
const markForm = `${number}_${number}_${number}`;
const snapshotForm = `${number}(?:-${number})*`;
/** An early version gave no mark to `until`: no log has this entry then, which leads to a reload. */
const cursorForm = new RegExp(
  `^([\\w-]{12})_(${markForm})_(${snapshotForm})(?:_(?:(${markForm})_)?(${snapshotForm})_(${number})_(${number}))?$`,
);
/** A snapshot names the transactions in progress: at most one for each connection. */
const lengthMax = 12_000;
const instantMax = Date.UTC(9999, 0);
/** Of the type `int`, with which it is compared. */
const eventsMax = 2 ** 31 - 1;

/** Encodes a place in the log as the id of an event. */
export function encodeCursor({ history, last, snapshot, within }: ResumeCursor): string {
  const parts = [history, packMark(last), packSnapshot(snapshot)];
  if (within !== undefined) {
    const { until, id, events } = within;
    if (until.last.id !== noMark.id) parts.push(packMark(until.last));
    parts.push(packSnapshot(until.snapshot), base36(id), base36(events));
  }
  return parts.join('_');
}

/** Decodes a cursor; `undefined` for any text that `encodeCursor` does not produce. */
export function decodeCursor(text: string): ResumeCursor | undefined {
  const [, history, last, snapshot, lastOfUntil, until, id, events] =
    (text.length <= lengthMax ? cursorForm.exec(text) : null) ?? [];
  if (history === undefined || last === undefined || snapshot === undefined) return undefined;
  const positionAt = (entry: string | undefined, packed: string): LogPosition => ({
    history,
    last: entry === undefined ? noMark : unpackMark(entry),
    snapshot: unpackSnapshot(packed),
  });
  const cursor: ResumeCursor = {
    ...positionAt(last, snapshot),
    ...(until !== undefined && {
      within: { until: positionAt(lastOfUntil, until), id: fromBase36(id), events: fromBase36(events) },
    }),
  };
  const { within } = cursor;
  const isPosition =
    isSafe(cursor) &&
    (within === undefined || (isSafe(within.until) && Number.isSafeInteger(within.id) && within.events <= eventsMax));
  return isPosition && encodeCursor(cursor) === text ? cursor : undefined;
}

const base36 = (value: number): string => value.toString(36);
const fromBase36 = (text: string | undefined): number => Number.parseInt(text ?? '', 36);

const packMark = ({ id, xid, at }: Mark): string => [id, xid, at.getTime()].map(base36).join('_');

function unpackMark(text: string): Mark {
  const [id = 0, xid = 0, at = 0] = text.split('_').map(fromBase36);
  return { id, xid, at: new Date(Math.min(at, instantMax)) };
}

const isSafe = ({ last: { id, xid }, snapshot }: LogPosition): boolean =>
  Number.isSafeInteger(id) && Number.isSafeInteger(xid) && isSnapshot(snapshot);

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

function isSnapshot(snapshot: string): boolean {
  const [xmin = 0, xmax = 0, ...running] = numbersOf(snapshot);
  const isInOrder = running.every((xid, index) => xid < xmax && (index === 0 || xid > (running[index - 1] ?? 0)));
  return xmin > 0 && xmin <= xmax && xmax <= Number.MAX_SAFE_INTEGER && isInOrder;
}
