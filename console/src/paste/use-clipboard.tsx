import { lazy, type ReactNode, type RefObject, Suspense, useState } from 'react';
import { useClient } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import { isCommand, isForField } from '../browser/keys.ts';
import { usePageEvent } from '../browser/use-page-event.ts';
import { readByCodes } from '../bulk/read-records.ts';
import { loadable } from '../components/screen-error.tsx';
import { fileColumnOf } from '../forms/attributes.ts';
import { randomId } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import type { UsedPageList } from '../lists/use-page-list.ts';
import { toastFailure } from '../overlays/toast-queue.ts';
import { sayWhy } from '../session/session.ts';
import { type Column, type Listed, textOf } from '../table/columns.ts';
import { isAcross } from '../table/gap.ts';
import type { Grid } from '../table/grid.ts';
import { type Block, readClipboard, writeBlock } from './block.ts';
import { type Match, matchRows, readNames } from './match.ts';
import { type Owner, type Paste, placeCells, readCells } from './paste.ts';

/** What headings mean, and the dialog: no part of the first load, and there with the first key. */
const loadTitles = () => import('./titles.ts').catch(() => null);
const loadDialog = async () => (await import('./paste-dialog.tsx')).PasteDialog;
const PasteDialog = lazy(loadable(loadDialog));
const prepare = (): void => {
  void loadTitles();
  loadDialog().catch(() => undefined);
};

interface Shown {
  /** Another paste is another dialog. */
  readonly key: string;
  readonly paste: Paste;
  readonly match?: Match | undefined;
}

interface ClipboardOptions<Row extends Listed> {
  readonly kind: RecordKind;
  /** Another may be on the screen. */
  readonly grid: Pick<Grid<Row>, 'table' | 'typedIn'>;
  readonly list: Pick<UsedPageList<Row>, 'items' | 'gapAt' | 'loadAll'>;
  readonly columns: readonly Column<Row>[];
  readonly selected: ReadonlySet<number>;
  readonly canWrite: boolean;
  /** The value of a cell that the user has seen. */
  readonly seenIn: (row: Row, column: Column<Row>) => string;
  /** What a file needs to name what new records belong to, if that is known. */
  readonly owner?: Owner;
}

/**
 * Copies the selected rows of a list, or the cell with the focus, for a spreadsheet; and takes a block of cells into the
 * selected rows, or those from that cell on, and fills down. Returns the dialog that shows what would change.
 */
export function useClipboard<Row extends Listed>(options: ClipboardOptions<Row>): ReactNode {
  const { kind, grid, list, columns, selected, canWrite, seenIn, owner } = options;
  const { table, typedIn } = grid;
  const { items, gapAt } = list;
  const client = useClient();
  const [shown, setShown] = useState<Shown | null>(null);
  const chosen = items.filter(({ id }) => selected.has(id));
  const codeColumn = columns.find(({ edit }) => edit?.fileColumn === fileColumnOf(kind, 'code'));
  const programColumn = columns.find(({ id }) => id === 'program');
  /** What a cell shows: of one that was typed, the list does not have it yet. */
  const shownIn = (row: Row, column: Column<Row>): string => typedIn(row)?.get(column.id)?.typed ?? textOf(column, row);
  const seenOf = (row: Row) =>
    Object.fromEntries(columns.flatMap((one) => (one.edit ? [[one.edit.fileColumn, seenIn(row, one)]] : [])));
  const targetsOf = (rows: readonly Row[]) =>
    rows.map((row) => ({
      ...{ row, seen: seenOf(row), code: codeColumn === undefined ? '' : shownIn(row, codeColumn) },
      program: programColumn && textOf(programColumn, row),
    }));
  /** The rows from this one on, of which some may not be loaded yet; `null` if they cannot be. */
  const rowsFrom = async (index: number, count: number): Promise<readonly Row[] | null> => {
    // Those after a gap are loaded, and to fill it would move them.
    const isAfterGap = gapAt !== undefined && index >= gapAt;
    const loaded = isAfterGap ? items : ((await list.loadAll(index + count)) ?? []);
    const at = loaded.findIndex(({ id }) => id === items[index]?.id);
    return at < 0 ? null : loaded.slice(at, at + count);
  };
  const showPaste = async (copied: Block, index: number, from: number): Promise<void> => {
    const isInSelection = chosen.length > 0;
    const loaded = await loadTitles();
    if (loaded === null) {
      toastFailure(sayWhy(t('cells.notPasted')));
      return;
    }
    const { block, columns: meant, titles, unread } = loaded.readTitles(copied, columns, from);
    const rows = isInSelection ? chosen : await rowsFrom(index, block.length);
    const targets = rows && targetsOf(rows);
    const cells = readCells(block, meant);
    const names = targets === null ? undefined : readNames(kind, block, meant, cells, targets);
    const program = Number(owner?.['program_id'] ?? 0) || undefined;
    const coded = names?.by === 'code' ? await readByCodes(client, kind, names.codes, program) : [];
    // No query finds names as they are.
    const listed = names?.by === 'name' && gapAt === undefined ? await list.loadAll(listedMax) : items;
    if (targets === null || coded === null || listed === null) {
      toastFailure(sayWhy(t('cells.notPasted')));
      return;
    }
    // What is more than the selected rows is not meant for new records.
    const newOwner = isInSelection ? undefined : owner;
    const match =
      names &&
      matchRows(names, {
        cells,
        targets,
        listed: targetsOf(listed),
        coded: coded.map(({ id, name, values, record }) => ({
          row: { id, name },
          code: String(values['code'] ?? ''),
          program: String(record['program_name']),
        })),
        isInSelection,
        owner: newOwner,
      });
    const paste = { ...placeCells(cells, targets, newOwner), isInSelection, titles, unread };
    setShown({ key: randomId(), paste, match: match && { ...match, paste: { ...match.paste, titles, unread } } });
  };
  usePageEvent('copy', (event) => {
    if (isElsewhere(table) || isForField(event) || getSelection()?.isCollapsed === false) return;
    const place = focusedCell(columns);
    const row = items[place?.index ?? -1];
    const ofCell = place !== undefined && row !== undefined ? [[shownIn(row, place.column)]] : [];
    const cells = chosen.length > 0 ? chosen.map((one) => columns.map((column) => shownIn(one, column))) : ofCell;
    if (cells.length === 0) return;
    event.clipboardData?.setData('text/plain', writeBlock(cells));
    event.preventDefault();
  });
  usePageEvent('paste', (event) => {
    const place = focusedCell(columns);
    if (!canWrite || isElsewhere(table) || isForField(event) || (place === undefined && chosen.length === 0)) return;
    const block = readClipboard(event.clipboardData);
    if (block.length === 0) return;
    event.preventDefault();
    void showPaste(
      block,
      place?.index ?? 0,
      place === undefined ? 0 : columns.findIndex(({ id }) => id === place.column.id),
    );
  });
  // Fills down: the value of the first selected row, or of the row above, goes into the cells below it.
  usePageEvent('keydown', (event) => {
    if (canWrite) prepare();
    if (!canWrite || event.shiftKey || !isCommand(event, 'd') || isElsewhere(table) || isForField(event)) return;
    const place = focusedCell(columns);
    if (place?.column.edit === undefined) return;
    event.preventDefault();
    const above = isAcross(gapAt, place.index - 1, place.index) ? place.index : Math.max(0, place.index - 1);
    const [from, ...below] = chosen.length > 1 ? chosen : items.slice(above, place.index + 1);
    if (from === undefined || below.length === 0) return;
    const cells = readCells([[shownIn(from, place.column)]], [place.column]);
    setShown({ key: randomId(), paste: placeCells(cells, targetsOf(below)) });
  });
  if (shown === null) return null;
  const { key, ...pasted } = shown;
  return (
    <Suspense>
      <PasteDialog key={key} kind={kind} {...pasted} close={() => setShown(null)} />
    </Suspense>
  );
}

/** In so many rows of a list names are looked for. */
const listedMax = 1_000;

/** Whether the focus is in another grid. */
const isElsewhere = ({ current }: RefObject<HTMLElement | null>): boolean =>
  (document.activeElement?.closest('[role=grid]') ?? current) !== current;

/** The cell with the focus, in a grid. */
function focusedCell<Row>(columns: readonly Column<Row>[]) {
  const cell = document.activeElement?.closest<HTMLTableCellElement>('[role=grid] td:not(.pick)') ?? null;
  const row = cell?.closest<HTMLElement>('[data-index]') ?? null;
  if (cell === null || row === null) return undefined;
  const first = row.querySelector('.pick') === null ? 0 : 1;
  const column = columns[cell.cellIndex - first];
  return column === undefined ? undefined : { index: Number(row.dataset['index']), column };
}
