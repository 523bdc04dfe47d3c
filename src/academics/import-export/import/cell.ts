import { excerpt } from '@service/errors';

export const isBlank = (cell: unknown): boolean => cell == null || (typeof cell === 'string' && cell.trim() === '');

/** A cell as text; `null` for one that is absent or empty. */
export function textOf(cell: unknown): string | null {
  if (cell === undefined || cell === null || cell === '') return null;
  return excerpt(typeof cell === 'string' ? cell : JSON.stringify(cell));
}
