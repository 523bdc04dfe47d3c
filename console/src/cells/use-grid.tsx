import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { useRights } from '../session/viewer.tsx';
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
  const begin = useCallback((id: number, column: string) => setEditing({ id, column }), []);
  const leave = useCallback(() => setEditing(null), []);
  const open = useEffectEvent((cell: UnsavedCell): boolean => {
    if (!canWrite || cell.kind !== kind || !items.some(({ id }) => id === cell.id)) return false;
    begin(cell.id, cell.field);
    return true;
  });
  useEffect(() => offerToOpen((cell) => open(cell)), []);
  const unsaved = useUnsavedCells();
  const typedIn = useCallback(({ id, version }: Row) => typedCells(unsaved, { kind, id, version }), [kind, unsaved]);
  const editor = useCallback((props: EditorProps<Row>) => <CellEditor kind={kind} {...props} />, [kind]);
  const table = useRef<HTMLTableElement>(null);
  const grid = useMemo(
    (): Grid<Row> => ({ table, editing, begin, leave, typedIn, ...(canWrite && { editor }) }),
    [editing, begin, leave, typedIn, canWrite, editor],
  );
  return { grid, items };
}
