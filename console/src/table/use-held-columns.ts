import { useState } from 'react';
import type { Column } from './columns.ts';

/**
 * Keeps the columns of a list as they are while one of its cells is edited, also when others define its attribute
 * anew: nobody loses the field that they type in.
 */
export function useHeldColumns<Item>(columns: readonly Column<Item>[], isEdited: boolean): readonly Column<Item>[] {
  const [held, setHeld] = useState(columns);
  if (isEdited || held === columns) return held;
  setHeld(columns);
  return columns;
}
