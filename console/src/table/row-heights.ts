import type { VirtualItem } from '@tanstack/react-virtual';
import * as z from 'zod/mini';

/** In the session storage, so that a reload restores the scroll position exactly. */
const storageName = 'list-row-heights';

const heights = z.object({ width: z.number(), rows: z.array(z.tuple([z.number(), z.number()])) });

/** Stores the heights of rows with long names. */
export function keepHeights(rows: readonly VirtualItem[], usual: number): void {
  const unusual = rows.flatMap(({ key, size }) => (size === usual || typeof key !== 'number' ? [] : [[key, size]]));
  try {
    sessionStorage.setItem(storageName, JSON.stringify({ width: window.innerWidth, rows: unusual }));
  } catch {
    // The storage is full or disabled: the rows are measured again.
  }
}

/** The stored heights, if the window is as wide as then. The virtualizer computes the offsets. */
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
