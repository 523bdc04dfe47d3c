import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { useSeen } from '../components/use-is-readable.ts';
import { isStoredAs } from '../forms/field-news.ts';
import { isOwnSave } from '../forms/own-saves.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { useRights } from '../session/viewer.tsx';
import type { Column } from '../table/columns.ts';
import type { EditorProps, Grid } from '../table/grid.ts';
import { CellEditor } from './cell-editor.tsx';
import type { UnsavedCell } from './unsaved.ts';
import { offerToOpen, typedCells, useUnsavedCells } from './unsaved-store.ts';
import { useHeldRow } from './use-held-row.ts';

/** Makes a list of records a grid, which those who may change records edit in place. Returns its rows, too. */
export function useGrid<Row extends Versioned>(kind: RecordKind, loaded: readonly Row[]) {
  const { canWrite } = useRights();
  const [editing, setEditing] = useState<Grid<Row>['editing']>(null);
  const items = useHeldRow(loaded, editing?.id);
  const wasTabbed = useRef(false);
  const begin = useCallback((id: number, column: string, byTab = false) => {
    wasTabbed.current = byTab;
    setEditing({ id, column });
  }, []);
  const leave = useCallback(() => setEditing(null), []);
  const open = useEffectEvent((cell: UnsavedCell): boolean => {
    if (!canWrite || cell.kind !== kind || !items.some(({ id }) => id === cell.id)) return false;
    begin(cell.id, cell.field);
    return true;
  });
  useEffect(() => offerToOpen((cell) => open(cell)), []);
  const unsaved = useUnsavedCells();
  const typedIn = useCallback(({ id, version }: Row) => typedCells(unsaved, { kind, id, version }), [kind, unsaved]);
  const seen = useSeen(loaded);
  /** The value of a cell that the user has seen, or entered. */
  const seenIn = useCallback(
    (row: Row, { id: field, edit }: Column<Row>): string => {
      const known = seen((rows) => rows.find(({ id }) => id === row.id)) ?? row;
      const { id, version } = known;
      const value = edit?.value(row) ?? '';
      const before = typedCells([], { kind, id, version })?.get(field)?.typed ?? edit?.value(known) ?? '';
      return isStoredAs(before, value) || isOwnSave({ kind, id }, field, value, row.version) ? value : before;
    },
    [kind, seen],
  );
  const editor = useCallback(
    (props: EditorProps<Row>) => <CellEditor kind={kind} seenIn={seenIn} wasTabbed={wasTabbed} {...props} />,
    [kind, seenIn],
  );
  const table = useRef<HTMLTableElement>(null);
  const grid = useMemo(
    (): Grid<Row> => ({ table, editing, begin, leave, typedIn, ...(canWrite && { editor }) }),
    [editing, begin, leave, typedIn, canWrite, editor],
  );
  return { grid, items, seenIn };
}
