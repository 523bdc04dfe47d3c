import { useMemo } from 'react';
import { type Column, columnsOf, namesOf } from '../table/columns.ts';
import { type ListName, useKept } from './kept.ts';

/**
 * The columns that a list shows: those of its address, else those stored on this device, else the default.
 *
 * @param columns All columns that it may have. Unchanged from one rendering to the next.
 * @param change Puts them into the address.
 */
export function useColumns<Row>(
  list: ListName,
  columns: readonly Column<Row>[],
  named: string | undefined,
  change: (named: string | undefined) => void,
) {
  const { kept, keep } = useKept(list);
  const names = named ?? kept.columns;
  const shown = useMemo(() => columnsOf(columns, names), [columns, names]);
  return {
    shown,
    choose: (chosen: readonly Column<Row>[] | null): void => {
      const next = chosen === null ? undefined : namesOf(chosen);
      keep({ columns: next });
      change(next);
    },
  };
}
