import { useMemo, useState } from 'react';
import type { Listed } from '../table/columns.ts';

interface Held<Row> {
  readonly row: Row;
  readonly index: number;
}

/**
 * Keeps the edited row of a list where it was, also when others have deleted it or changed it so that it belongs elsewhere
 * or not here: nobody loses the field that they type in.
 */
export function useHeldRow<Row extends Listed>(items: readonly Row[], id: number | undefined): readonly Row[] {
  const [held, setHeld] = useState<Held<Row> | null>(null);
  const at = id === undefined ? -1 : items.findIndex((row) => row.id === id);
  const before = held?.row.id === id ? held : null;
  const row = items[at] ?? before?.row;
  const index = before?.index ?? at;
  if (row !== held?.row) setHeld(row === undefined ? null : { row, index });
  return useMemo(() => {
    if (row === undefined || at === index) return items;
    return items.filter((one) => one.id !== row.id).toSpliced(index, 0, row);
  }, [items, row, at, index]);
}
