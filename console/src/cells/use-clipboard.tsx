import { type ReactNode, useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { isTyping } from '../components/keys.ts';
import { usePageEvent } from '../components/use-page-event.ts';
import { type Column, type Listed, textOf } from '../table/columns.ts';
import { readBlock, writeBlock } from './block.ts';
import { type Paste, placeBlock } from './paste.ts';
import { PasteDialog } from './paste-dialog.tsx';

interface ClipboardOptions<Row extends Listed> {
  readonly kind: RecordKind;
  readonly items: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly selected: ReadonlySet<number>;
  readonly canWrite: boolean;
  /** What a file needs to name the record of a row. */
  readonly recordOf: (row: Row) => Readonly<Record<string, string | number>>;
}

/**
 * Copies the selected rows of a list, or the cell with the focus, for a spreadsheet; and takes a block of cells into the
 * selected rows, or those from that cell on. Returns the dialog that shows what would change.
 */
export function useClipboard<Row extends Listed>(options: ClipboardOptions<Row>): ReactNode {
  const { kind, items, columns, selected, canWrite, recordOf } = options;
  const [paste, setPaste] = useState<Paste | null>(null);
  const chosen = items.filter(({ id }) => selected.has(id));
  usePageEvent('copy', (event) => {
    if (isTyping(event) || getSelection()?.isCollapsed === false) return;
    const place = focusedCell(columns);
    const row = items[place?.index ?? -1];
    const ofCell = place !== undefined && row !== undefined ? [[textOf(place.column, row)]] : [];
    const cells = chosen.length > 0 ? chosen.map((one) => columns.map((column) => textOf(column, one))) : ofCell;
    if (cells.length === 0) return;
    event.clipboardData?.setData('text/plain', writeBlock(cells));
    event.preventDefault();
  });
  usePageEvent('paste', (event) => {
    const place = focusedCell(columns);
    if (!canWrite || isTyping(event) || (place === undefined && chosen.length === 0)) return;
    const block = readBlock(event.clipboardData?.getData('text/plain') ?? '');
    if (block.length === 0) return;
    event.preventDefault();
    const rows = chosen.length > 0 ? chosen : items.slice(place?.index ?? 0).slice(0, block.length);
    const targets = rows.map((row) => ({ row, record: recordOf(row) }));
    const from = place === undefined ? 0 : columns.findIndex((column) => column.id === place.column.id);
    setPaste(placeBlock(block, targets, columns.slice(from)));
  });
  return paste !== null && <PasteDialog kind={kind} paste={paste} close={() => setPaste(null)} />;
}

/** The cell with the focus, in a grid. */
function focusedCell<Row>(columns: readonly Column<Row>[]) {
  const cell = document.activeElement?.closest<HTMLTableCellElement>('[role=grid] td:not(.pick)') ?? null;
  const row = cell?.closest<HTMLElement>('[data-index]') ?? null;
  if (cell === null || row === null) return undefined;
  const first = row.querySelector('.pick') === null ? 0 : 1;
  const column = columns[cell.cellIndex - first];
  return column === undefined ? undefined : { index: Number(row.dataset['index']), column };
}
