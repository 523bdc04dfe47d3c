import { formatTime } from '../format/text.ts';

interface ChangedField {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

const internal = new Set(['id', 'version', 'createdAt', 'updatedAt', 'created_at', 'updated_at']);

/** The fields in which two states differ; all fields if one state is missing. */
export function changedFields(before: unknown, after: unknown): ChangedField[] {
  const from = entriesOf(before);
  const to = entriesOf(after);
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((name) => !internal.has(name))
    .map((name) => ({ name: withSpaces(name), from: textOf(from.get(name)), to: textOf(to.get(name)) }))
    .filter((field) => field.from !== field.to);
}

function entriesOf(state: unknown): Map<string, unknown> {
  return new Map(typeof state === 'object' && state !== null ? Object.entries(state) : []);
}

/** `code is numeric` for `codeIsNumeric` and `code_is_numeric`. */
const withSpaces = (name: string): string =>
  name
    .replace(/([A-Z])/g, ' $1')
    .replaceAll('_', ' ')
    .toLowerCase();

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return instant.test(value) ? formatTime(value) : value;
  return typeof value === 'object' && !Array.isArray(value) ? countsOf(value) : JSON.stringify(value);
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The counts of an import: `created 56, changed 2`. */
function countsOf(value: object): string | null {
  const counts = Object.entries(value).filter(([, count]) => count !== 0);
  return counts.length === 0 ? null : counts.map(([name, count]) => `${name} ${count}`).join(', ');
}
