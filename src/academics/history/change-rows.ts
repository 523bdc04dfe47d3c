import { hash } from 'node:crypto';
import type { AnyTransaction } from '@service/postgres/sql';
import { z } from 'zod';
import { cursorOf, readCursor } from '../../validation/cursors.ts';
import type { ChangeSummary } from './change-summaries.ts';
import { type Conditions, changesAfter, isAfter, matches, type Place } from './step-changes.ts';

// GraphQL's `changeLog`, from the audit log. The table `change_log` is another: what caches and subscribers follow.

/** A row of it: a change, or the single creations of one sitting of somebody; newest first. */
export type ChangeRow = readonly [ChangeSummary, ...ChangeSummary[]];

export interface ChangePage {
  readonly rows: readonly ChangeRow[];
  readonly hasNext: boolean;
  readonly endCursor: string | null;
}

/** A longer pause begins another sitting. */
const pauseMaxMs = 30 * 60_000;
/** More creations are another row, so that none is long. */
const creationsMax = 200;
/** A page that has read so many changes ends, with fewer rows if few match: some 100 ms. */
const readMax = 2_000;
/** What is read at once for a page of so many rows. */
const batchOf = (first: number): number => Math.min(250, 20 + 2 * first);

/** Where the next page begins; and the creations after it that are shown before: up to a change, of some actors. */
interface ChangeCursor {
  readonly place: Place;
  readonly shown: ReadonlyMap<string, Place>;
}

/** A row that is not yet whole. */
interface OpenRow {
  readonly changes: [ChangeSummary, ...ChangeSummary[]];
  isOpen: boolean;
}

/**
 * A page of rows. Creations of a row may be older than rows below it, as others change something meanwhile: they
 * are read beyond the page, and its cursor says which the next page leaves out.
 */
export async function readChangeRows(
  db: AnyTransaction,
  conditions: Conditions,
  first: number,
  cursor: ChangeCursor | undefined,
): Promise<ChangePage> {
  const rows: OpenRow[] = [];
  const sittings = new Map<string, OpenRow>();
  let hasMoreRows = false;
  const take = (change: ChangeSummary): void => {
    const { actor } = change;
    if (!isSingleCreation(change)) {
      if (rows.length < first) rows.push({ changes: [change], isOpen: false });
      else hasMoreRows = true;
      return;
    }
    const shown = cursor?.shown.get(keyOf(actor));
    if (shown !== undefined && !isAfter(change, shown)) return;
    const sitting = sittings.get(actor);
    if (sitting?.isOpen === true && goesOn(sitting, change)) {
      sitting.changes.push(change);
      return;
    }
    if (sitting !== undefined) sitting.isOpen = false;
    if (rows.length === first) hasMoreRows = true;
    else {
      const row: OpenRow = { changes: [change], isOpen: true };
      rows.push(row);
      sittings.set(actor, row);
    }
  };

  const batch = batchOf(first);
  let place = cursor?.place;
  let read = 0;
  for (;;) {
    const limit = Math.min(batch, readMax - read);
    const found = await changesAfter(db, place, conditions, limit);
    for (const change of found) if (matches(change, conditions)) take(change);
    const last = found.at(-1);
    if (last !== undefined) place = { at: last.at, changeId: last.changeId };
    read += found.length;
    const isEnd = found.length < limit;
    const isFull = hasMoreRows && !rows.some((row) => row.isOpen && place !== undefined && isWithin(row, place.at));
    if (!isEnd && !isFull && read < readMax) continue;
    const shownRows = rows.map(({ changes }): ChangeRow => changes);
    // Else all that was read is shown, and the next page begins after it.
    const end = hasMoreRows ? shownRows.at(-1)?.[0] : place;
    return {
      rows: shownRows,
      hasNext: hasMoreRows || !isEnd,
      endCursor: end === undefined ? null : cursorAt(end, shownRows, cursor),
    };
  }
}

const isSingleCreation = ({ action, programs, branches }: ChangeSummary): boolean =>
  action === 'create' && programs + branches === 1;

const goesOn = (row: OpenRow, { at }: ChangeSummary): boolean => row.changes.length < creationsMax && isWithin(row, at);

function isWithin({ changes }: OpenRow, at: Date): boolean {
  const last = changes.at(-1);
  return last !== undefined && last.at.getTime() - at.getTime() <= pauseMaxMs;
}

function cursorAt({ at, changeId }: Place, rows: readonly ChangeRow[], before: ChangeCursor | undefined): string {
  const ends = rows.map((changes): [string, Place] => [keyOf(changes[0].actor), changes.at(-1) ?? changes[0]]);
  const shown = [...(before?.shown ?? []), ...ends].filter(([, end]) => isAfter(end, { at, changeId }));
  return encode({ place: { at, changeId }, shown: new Map(shown) });
}

/** Short, as a cursor has many. */
const keyOf = (actor: string): string => hash('sha256', actor, 'base64url').slice(0, 10);

const textsOf = ({ at, changeId }: Place): string[] => [at.toISOString(), changeId];

const encode = ({ place, shown }: ChangeCursor): string =>
  cursorOf([...textsOf(place), ...Array.from(shown, ([key, end]) => [key, ...textsOf(end)]).flat()]);

const instant = z.iso.datetime({ precision: 3 }).refine((text) => !text.startsWith('0000'));
const changePlace = z.tuple([instant, z.uuid()], z.string());
const shownPlace = z.tuple([z.string(), instant, z.uuid()]);

/** The place of a cursor; `undefined` for a text that is none. */
export function decodeChangeCursor(text: string): ChangeCursor | undefined {
  const [at, changeId, ...rest] = readCursor(text, changePlace) ?? [];
  if (at === undefined || changeId === undefined) return undefined;
  const shown = new Map<string, Place>();
  for (let index = 0; index < rest.length; index += 3) {
    const { data } = shownPlace.safeParse(rest.slice(index, index + 3));
    if (data === undefined) return undefined;
    shown.set(data[0], { at: new Date(data[1]), changeId: data[2] });
  }
  return { place: { at: new Date(at), changeId }, shown };
}
