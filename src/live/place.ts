import { z } from 'zod';
import { cursorOf, readCursor } from '../academics/connection.ts';

/** How far somebody has followed the log: all entries before `position`, and of that one the first `events` events. */
export interface Place {
  readonly position: number;
  readonly events: number;
}

const written = z.tuple([z.int().min(0), z.int().min(0)]);

/** Writes a place down, as the id of the event that leads there. */
export function idOf({ position, events }: Place): string {
  return cursorOf([position, events]);
}

/** Reads what `idOf` wrote; `undefined` for anything else. */
export function placeOf(id: string): Place | undefined {
  const parts = readCursor(id, written);
  return parts && { position: parts[0], events: parts[1] };
}
