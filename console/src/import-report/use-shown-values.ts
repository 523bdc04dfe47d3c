import { shortened } from '../format/text.ts';
import { attributePrefix } from '../forms/attributes.ts';
import { shownValue } from '../history/changed-fields.ts';
import { useNames } from '../history/use-names.ts';

/** The field of a record that a column of a file has: `duration`, `attributes.level`. */
const fieldOf = (column: string): string =>
  column.replace(/^(?:program|branch)_/, '').replace(/^attr:/, attributePrefix);

/** Returns how a value of a column of a file is quoted: as lists show it, and of a long text the beginning. */
export function useShownValues(): (column: string | null, value: unknown) => string {
  const names = useNames();
  return (column, value) => shortened(shownValue(fieldOf(column ?? ''), value, names) ?? '');
}
