import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { useRights } from '../session/viewer.tsx';
import type { EditorProps, Grid } from '../table/grid.ts';
import { CellEditor } from './cell-editor.tsx';
import { typedCells, type UnsavedCell, useUnsavedCells } from './unsaved.ts';
import { useHeldRow } from './use-held-row.ts';

/** The grids on the screen: each opens a cell if it has its record. */
const openers = new Set<(cell: UnsavedCell) => boolean>();

/** Opens a cell where a grid shows it. Returns whether one does. */
export const openCell = (cell: UnsavedCell): boolean => [...openers].some((open) => open(cell));

/** Makes a list of records a grid, which those who may change records edit in place. Returns its rows, too. */
export function useGrid<Row extends Versioned>(kind: RecordKind, loaded: readonly Row[]) {
  const { canWrite } = useRights();
  const [editing, setEditing] = useState<Grid<Row>['editing']>(null);
  const items = useHeldRow(loaded, editing?.id);
  const begin = useCallback((id: number, column: string) => setEditing({ id, column }), []);
  const leave = useCallback(() => setEditing(null), []);
  const open = useEffectEvent((cell: UnsavedCell): boolean => {
    if (!canWrite || cell.kind !== kind || !items.some(({ id }) => id === cell.id)) return false;
    begin(cell.id, cell.field);
    return true;
  });
  useEffect(() => {
    const opener = (cell: UnsavedCell): boolean => open(cell);
    openers.add(opener);
    return () => {
      openers.delete(opener);
    };
  }, []);
  const unsaved = useUnsavedCells();
  const typedIn = useCallback((row: Row) => typedCells(unsaved, { kind, ...row }), [kind, unsaved]);
  const editor = useCallback((props: EditorProps<Row>) => <CellEditor kind={kind} {...props} />, [kind]);
  const grid = useMemo(
    (): Grid<Row> => ({ editing, begin, leave, typedIn, ...(canWrite && { editor }) }),
    [editing, begin, leave, typedIn, canWrite, editor],
  );
  return { grid, items };
}
