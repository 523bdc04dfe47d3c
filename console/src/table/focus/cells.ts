import type { RefObject } from 'react';

/** A cell by its row, and by its place in it; without a place, the first of its row that takes the focus. */
export interface Place {
  readonly index: number;
  readonly cell: number | undefined;
}

/** The place of the head among the rows. */
export const headIndex = -1;

type TableRef = RefObject<HTMLElement | null>;

export function placeOf(target: EventTarget | null): Place | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  if (row === null || !(target instanceof Element)) return undefined;
  return { index: Number(row.dataset['index']), cell: target.closest<HTMLTableCellElement>('td, th')?.cellIndex };
}

export const rowAt = ({ current }: TableRef, index: number) =>
  current?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;

/** The cells of a row that take the focus. */
export const cellsIn = (row: HTMLElement | null): HTMLTableCellElement[] =>
  Array.from(row?.querySelectorAll<HTMLTableCellElement>(':is(td, th)[tabindex]') ?? []).filter((cell) =>
    cell.checkVisibility(),
  );

/** What takes the focus of a cell: the one control in it, else itself. */
export function targetIn(row: HTMLElement, cell: number | undefined): HTMLElement {
  const within = cellsIn(row).find(({ cellIndex }) => cellIndex === cell);
  if (within === undefined) return row.querySelector<HTMLElement>('a, button, summary') ?? row;
  return within.querySelector<HTMLElement>('a:not(.web-link), button, summary, input, textarea, select') ?? within;
}

export function firstVisible({ current }: TableRef): number {
  const rows = current?.querySelectorAll<HTMLElement>('.rows [data-index]') ?? [];
  return Number(Array.from(rows).find((row) => row.getBoundingClientRect().top >= 0)?.dataset['index'] ?? 0);
}
