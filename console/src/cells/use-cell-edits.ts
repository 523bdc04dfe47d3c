import { useCallback, useRef, useState } from 'react';
import { useClient } from 'urql';
import type { RecordKind } from '../api/event-stream.ts';
import type { Versioned } from '../forms/use-edit.ts';
import { t } from '../language/language.ts';
import { toastFailure } from '../overlays/toast-queue.ts';
import type { Column } from '../table/columns.ts';
import type { Grid, TypedCell } from '../table/grid.ts';
import { saveCell } from './save-cell.ts';

export interface CellEdits<Row> extends Omit<Grid<Row>, 'editor'> {
  /** Saves a value that differs from the one that the user has seen. */
  readonly save: (row: Row, column: Column<Row>, typed: string, seen: string) => void;
  /** Drops what was typed and not saved. */
  readonly forget: (id: number, column: string) => void;
}

type Typed = ReadonlyMap<number, ReadonlyMap<string, TypedCell>>;

/** The cell that is edited, and what was typed into others while it is saved. */
export function useCellEdits<Row extends Versioned>(kind: RecordKind): CellEdits<Row> {
  const client = useClient();
  const [editing, setEditing] = useState<Grid<Row>['editing']>(null);
  const [typed, setTyped] = useState<Typed>(new Map());
  const put = useCallback((id: number, column: string, cell: TypedCell) => {
    setTyped((all) => new Map(all).set(id, new Map(all.get(id)).set(column, cell)));
  }, []);
  const forget = useCallback((id: number, column: string) => {
    setTyped((all) => {
      const cells = new Map(all.get(id));
      cells.delete(column);
      return new Map(all).set(id, cells);
    });
  }, []);
  /** Saves of one record follow each other: each needs the version of the one before. */
  const queues = useRef(new Map<number, Promise<number>>());
  const begin = useCallback((id: number, column: string) => setEditing({ id, column }), []);
  const leave = useCallback(() => setEditing(null), []);
  const save = useCallback(
    (row: Row, column: Column<Row>, text: string, seen: string) => {
      const { edit } = column;
      if (edit === undefined) return;
      const name = column.id;
      put(row.id, name, { typed: text });
      const run = async (earlier: number): Promise<number> => {
        const version = Math.max(earlier, row.version);
        const saved = await saveCell(client, kind, { id: row.id, field: edit.field, typed: text, seen, version });
        put(row.id, name, { typed: text, ...saved });
        if ('version' in saved) return saved.version;
        const { problem, isUncertain = false } = saved;
        const said = { row: row.name, column: column.name, typed: text, problem, isUncertain: String(isUncertain) };
        toastFailure(t('cells.rejected', said), {
          label: t('cells.editIt'),
          run: () => begin(row.id, name),
        });
        return version;
      };
      queues.current.set(row.id, (queues.current.get(row.id) ?? Promise.resolve(0)).then(run));
    },
    [begin, client, kind, put],
  );
  const typedIn = useCallback(
    (row: Row) => {
      const isOpen = ({ version }: TypedCell): boolean => version === undefined || version > row.version;
      const cells = [...(typed.get(row.id) ?? [])].filter(([, cell]) => isOpen(cell));
      return cells.length === 0 ? undefined : new Map(cells);
    },
    [typed],
  );
  return { editing, begin, leave, save, forget, typedIn };
}
