import * as z from 'zod/mini';
import { readDraft, removeDraft, useStoredDraft, writeDraft } from '../forms/drafts.ts';
import { savedSince } from '../forms/own-saves.ts';
import type { TypedCell } from '../table/grid.ts';
import { type Cells, recordKey, type UnsavedCell, unsavedCell, withCell } from './unsaved.ts';

// The values are a draft: they outlast their list, a reload and the session.
const draftName = 'cells';
const draft = z.array(unsavedCell);
const none: Cells = [];

export const useUnsavedCells = (): Cells => useStoredDraft(draftName, draft) ?? none;

export function changeUnsaved(change: (cells: Cells) => Cells): void {
  const cells = change(readDraft(draftName, draft) ?? none);
  if (cells.length === 0) removeDraft(draftName);
  else writeDraft(draftName, cells);
}

/** What is typed in the cell that is open, which a reload would lose. */
const openDraft = 'cell';
export const keepOpenCell = (cell: UnsavedCell): void => writeDraft(openDraft, cell);
export const dropOpenCell = (): void => removeDraft(openDraft);

/** After a reload, what was typed in the open cell is unsaved. */
export function takeOpenCell(): void {
  const cell = readDraft(openDraft, unsavedCell);
  dropOpenCell();
  if (cell !== null) changeUnsaved((cells) => withCell(cells, { ...cell, by: null, waits: true }));
}

/** The grids on the screen: each opens a cell if it has its record. */
const openers = new Set<(cell: UnsavedCell) => boolean>();

export function offerToOpen(open: (cell: UnsavedCell) => boolean): () => void {
  openers.add(open);
  return () => void openers.delete(open);
}

/** Opens a cell where a grid shows it. Returns whether one does. */
export const openCell = (cell: UnsavedCell): boolean => [...openers].some((open) => open(cell));

/** What was typed in a record and its list does not show yet, by field. */
export function typedCells(
  cells: Cells,
  record: Pick<UnsavedCell, 'kind' | 'id' | 'version'>,
): ReadonlyMap<string, TypedCell> | undefined {
  const unsaved = cells.filter((cell) => recordKey(cell) === recordKey(record));
  const typed = [...savedSince(record), ...unsaved.map((cell) => [cell.field, cell] as const)];
  return typed.length === 0 ? undefined : new Map(typed);
}
