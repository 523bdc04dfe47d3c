import * as z from 'zod/mini';
import type { RecordKind } from '../api/event-stream.ts';
import { attributePrefix } from '../fields/attributes.ts';

export type FieldValue = string | number | boolean;
export type FieldValues = Readonly<Record<string, FieldValue>>;

export const fieldValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Drafts are in the session storage: they survive navigation and reloads, and are cleared on sign-out. */
const prefix = 'console-draft-';

export function readDraft<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.infer<Schema> | null {
  const text = sessionStorage.getItem(prefix + name);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export const writeDraft = (name: string, draft: unknown): void =>
  sessionStorage.setItem(prefix + name, JSON.stringify(draft));

export const removeDraft = (name: string): void => sessionStorage.removeItem(prefix + name);

export const editDraft = (kind: RecordKind, id: number): string => `edit-${kind}-${id}`;

export const hasDraft = (name: string): boolean => sessionStorage.getItem(prefix + name) !== null;

/** The initial values, replaced by those of a draft, which may have more attributes; one of an older version may lack some. */
export function mergeValues<Values extends FieldValues>(initial: Values, draft: FieldValues): Values {
  const known = Object.entries(draft).filter(
    ([name, value]) => typeof (name.startsWith(attributePrefix) ? '' : initial[name]) === typeof value,
  );
  return { ...initial, ...Object.fromEntries(known) };
}

/** Typed values of an edit, those that the record had when it began, and the fields whose value by others is chosen. */
export const storedEdit = z.object({
  base: fieldValues,
  typed: fieldValues,
  theirs: z.catch(z.array(z.string()), []),
});
export type StoredEdit = z.infer<typeof storedEdit>;

/** Types a value into the form of a record, which may be closed: an empty text for none. */
export function putInDraft(name: string, field: string, value: unknown): void {
  const draft = readDraft(name, storedEdit) ?? { base: {}, typed: {}, theirs: [] };
  const typed = fieldValues.parse({ ...draft.typed, [field]: value ?? '' });
  writeDraft(name, { ...draft, typed, theirs: draft.theirs.filter((one) => one !== field) });
}
