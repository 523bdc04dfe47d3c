import type { VirtualItem } from '@tanstack/react-virtual';
import * as z from 'zod/mini';

/** The tab has them: after a reload, too, each row is where it was. */
const storageName = 'program-row-heights';

const heights = z.object({ width: z.number(), rows: z.array(z.tuple([z.number(), z.number()])) });

/** Keeps the heights of rows that are not the usual, such as those of long names, for the next time the list is shown. */
export function keepHeights(rows: readonly VirtualItem[], usual: number): void {
  const unusual = rows.flatMap(({ key, size }) => (size === usual || typeof key !== 'number' ? [] : [[key, size]]));
  try {
    sessionStorage.setItem(storageName, JSON.stringify({ width: window.innerWidth, rows: unusual }));
  } catch {
    // The storage is full or forbidden: the rows are measured again.
  }
}

/** The rows whose heights were kept, of a window that is as wide; their places are worked out by the list. */
export function keptHeights(): VirtualItem[] {
  const { width, rows } = parsed();
  if (width !== window.innerWidth) return [];
  return rows.map(([key, size]) => ({ index: 0, key, start: 0, size, end: size, lane: 0 }));
}

function parsed(): z.infer<typeof heights> {
  try {
    return heights.parse(JSON.parse(sessionStorage.getItem(storageName) ?? ''));
  } catch {
    return { width: 0, rows: [] };
  }
}
