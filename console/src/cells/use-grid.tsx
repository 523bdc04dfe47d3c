import { useCallback, useMemo } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { useRights } from '../session/viewer.tsx';
import type { EditorProps, Grid } from '../table/grid.ts';
import { CellEditor } from './cell-editor.tsx';
import { useCellEdits } from './use-cell-edits.ts';

/** Makes a list of records a grid, which those who may change records edit in place. */
export function useGrid<Row extends Versioned>(kind: RecordKind): Grid<Row> {
  const { canWrite } = useRights();
  const { editing, begin, leave, save, forget, typedIn } = useCellEdits<Row>(kind);
  const editor = useCallback(
    (props: EditorProps<Row>) => <CellEditor {...props} save={save} forget={forget} />,
    [save, forget],
  );
  return useMemo(
    () => ({ editing, begin, leave, typedIn, ...(canWrite && { editor }) }),
    [editing, begin, leave, typedIn, canWrite, editor],
  );
}
