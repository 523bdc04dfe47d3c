import { nameOfField } from '../fields/field-names.ts';
import { formatCount, formatList, formatTime } from '../format/text.ts';
import { attributePrefix } from '../forms/attributes.ts';
import { t, textNamed } from '../language/language.ts';
import { browserName } from '../session/browser-name.ts';

export interface ChangedField {
  readonly field: string;
  /** For readers. */
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
  /** The value before, as it is stored. */
  readonly old: unknown;
}

const internal = new Set(['id', 'version', 'createdAt', 'updatedAt', 'created_at', 'updated_at']);

/** What the language does not have; `undefined` if it is unknown. */
export interface Names {
  /** Of the record whose id a field has, such as `userId`; of a choice of an attribute. */
  of(field: string, value: unknown): string | undefined;
  /** How people call an attribute that is defined. */
  label(field: string): string | undefined;
}

const noNames: Names = { of: () => undefined, label: () => undefined };

/** The fields in which two states differ, with names for ids; all fields if one state is missing. */
export function changedFields(before: unknown, after: unknown, names: Names = noNames): ChangedField[] {
  const from = entriesOf(before);
  const to = entriesOf(after);
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((name) => !internal.has(name))
    .filter((name) => textOf(from.get(name)) !== textOf(to.get(name)))
    .map((field) => changedField({ field, before: from.get(field), after: to.get(field) }, names));
}

/** A field as the service compares it. */
export interface FieldChange {
  readonly field: string;
  /** How people call an attribute. */
  readonly label?: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

export const changedField = ({ field, label, before, after }: FieldChange, names: Names): ChangedField => ({
  field,
  name: label ?? names.label(field) ?? nameOfField(field),
  from: shownValue(field, before, names),
  to: shownValue(field, after, names),
  old: before,
});

/** A value of a field as people read it; `null` if it is empty. */
export const shownValue = (field: string, value: unknown, names: Names): string | null =>
  names.of(field, value) ?? valueText(field, value) ?? textOf(value);

/** Attributes by their names, as fields of forms are called: `attributes.level`. */
function entriesOf(state: unknown): Map<string, unknown> {
  const fields = Object.entries(typeof state === 'object' && state !== null ? state : {});
  return new Map(
    fields.flatMap(([name, value]): [string, unknown][] =>
      name === 'attributes'
        ? Object.entries(value ?? {}).map(([key, text]) => [attributePrefix + key, text])
        : [[name, value]],
    ),
  );
}

/** A value that has a name in the language: `viewer`, `programs`, `Chrome on Linux`. */
function valueText(field: string, value: unknown): string | undefined {
  if (field === 'name' && typeof value === 'string') return browserName(value) || undefined;
  if (field === 'role') return textNamed(`role.${String(value).toUpperCase()}`);
  if (field === 'origin') return t('history.origin', { origin: String(value) });
  if (field !== 'list' || typeof value !== 'string') return;
  return t('common.many', { kind: value === 'programs' ? 'PROGRAM' : 'BRANCH' });
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return t(value ? 'history.yes' : 'history.no');
  if (typeof value === 'string') return instant.test(value) ? formatTime(value) : value;
  return typeof value === 'object' && !Array.isArray(value) ? countsOf(value) : JSON.stringify(value);
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The counts of an import: `created 56, changed 2`. */
function countsOf(value: object): string | null {
  const counts = Object.entries(value).filter(([, count]) => count !== 0);
  return counts.length === 0
    ? null
    : formatList(counts.map(([name, count]) => `${nameOfField(name)} ${formatCount(Number(count))}`));
}
