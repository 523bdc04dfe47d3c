import type { Listed } from '../columns.ts';

/**
 * The place of the row that has the focus after one that was left out of a list: that row if it is there, else the first
 * after it that is, else the last before it. Rows that came in the meantime do not count; without another they do.
 */
export function nextRow(before: readonly Listed[], index: number, items: readonly Listed[]): number {
  const places = new Map(items.map(({ id }, place) => [id, place]));
  const heirs = [...before.slice(index), ...before.slice(0, index).toReversed()];
  const heir = heirs.find(({ id }) => places.has(id));
  return (heir && places.get(heir.id)) ?? Math.min(index, items.length - 1);
}
