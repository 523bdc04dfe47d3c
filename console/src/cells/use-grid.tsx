import { useCallback, useMemo } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';
import type { EditorProps, Grid } from '../table/grid.ts';
import { CellEditor } from './cell-editor.tsx';
import { type CellEdits, useCellEdits } from './use-cell-edits.ts';

/** Makes a list of records a grid, which those who may change records edit in place. */
export function useGrid<Row extends Versioned>(kind: RecordKind): Grid<Row> {
  const { canWrite } = useRights();
  const { editing, begin, leave, save, forget, typedIn } = useCellEdits<Row>(kind);
  const editor = useCallback(
    (props: EditorProps<Row>) => <EditedCell {...props} save={save} forget={forget} />,
    [save, forget],
  );
  return useMemo(
    () => ({ editing, begin, leave, typedIn, ...(canWrite && { editor }) }),
    [editing, begin, leave, typedIn, canWrite, editor],
  );
}

const useNone = (): readonly string[] => [];

type EditedCellProps<Row> = EditorProps<Row> & Pick<CellEdits<Row>, 'save' | 'forget'>;

function EditedCell<Row extends Versioned>(props: EditedCellProps<Row>) {
  const { row, column, before, leave, save, forget } = props;
  const { edit, name } = column;
  const suggestions = (edit?.useSuggestions ?? useNone)();
  return (
    <CellEditor
      label={t('cells.cell', { column: name, row: row.name })}
      value={edit?.value(row) ?? ''}
      before={before}
      isLong={edit?.isLong === true}
      suggestions={suggestions}
      save={(typed, seen) => save(row, column, typed, seen)}
      forget={() => forget(row.id, column.id)}
      leave={leave}
    />
  );
}
