import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Listed } from './columns.ts';
import { isAcross } from './gap.ts';

export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** Selects a record, or takes it out again; with `isRange`, all from the last one to this. */
  readonly toggle: (id: number, isRange: boolean) => void;
  /** Selects all rows that are loaded. */
  readonly selectAll: () => void;
  readonly set: (ids: Iterable<number>) => void;
  readonly clear: () => void;
}

/**
 * The records that are selected in a list.
 *
 * @param list Identifies the list by its filter: another one begins without a selection.
 */
export function useSelection(items: readonly Listed[], list: string, gapAt?: number): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number | null>(null);
  const latest = useRef({ items, gapAt });
  useEffect(() => {
    latest.current = { items, gapAt };
  });
  const set = useCallback((chosen: Iterable<number>) => setIds(new Set(chosen)), []);
  const clear = useCallback(() => {
    last.current = null;
    setIds((previous) => (previous.size === 0 ? previous : new Set()));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list.
  useEffect(clear, [list, clear]);
  const toggle = useCallback((id: number, isRange: boolean) => {
    const { items: rows, gapAt: gap } = latest.current;
    const from = rows.findIndex((item) => item.id === last.current);
    const to = rows.findIndex((item) => item.id === id);
    last.current = id;
    setIds((previous) => {
      // A range does not leave out rows that are not loaded.
      if (isRange && from >= 0 && to >= 0 && !isAcross(gap, from, to)) {
        const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
        return new Set([...previous, ...range.map((item) => item.id)]);
      }
      const next = new Set(previous);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const selectAll = useCallback(() => set(latest.current.items.map(({ id }) => id)), [set]);
  return useMemo(() => ({ ids, toggle, selectAll, set, clear }), [ids, toggle, selectAll, set, clear]);
}
