import { useMemo, useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import type { RecordKind } from '../api/event-stream.ts';
import { tabStorage } from '../browser/storage.ts';
import { attributePrefix } from './attributes.ts';

const fieldValue = z.union([z.string(), z.number(), z.boolean()]);
export const fieldValues = z.record(z.string(), fieldValue);

export type FieldValue = z.infer<typeof fieldValue>;
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** Drafts are in the storage of the tab: they survive navigation and reloads, and are cleared on sign-out. */
const prefix = 'console-draft-';

function parse<Schema extends z.ZodMiniType>(text: string | null, schema: Schema): z.infer<Schema> | null {
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export const readDraft = <Schema extends z.ZodMiniType>(name: string, schema: Schema): z.infer<Schema> | null =>
  parse(tabStorage.read(prefix + name), schema);

/** A draft as it changes. */
export function useStoredDraft<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.infer<Schema> | null {
  const text = useSyncExternalStore(tabStorage.listen, () => tabStorage.read(prefix + name));
  return useMemo(() => parse(text, schema), [text, schema]);
}

export const writeDraft = (name: string, draft: unknown): void =>
  tabStorage.write(prefix + name, JSON.stringify(draft));

export const removeDraft = (name: string): void => tabStorage.remove(prefix + name);

export const editDraft = (kind: RecordKind, id: number): string => `edit-${kind}-${id}`;

export const hasDraft = (name: string): boolean => tabStorage.read(prefix + name) !== null;

/** Whether anything that was typed in this tab is not saved. */
export const hasDrafts = (): boolean => tabStorage.has(prefix);

/** The initial values, replaced by those of a draft, which may have more attributes; one of an older version may lack some. */
export function mergeValues<Values extends FieldValues>(initial: Values, draft: FieldValues): Values {
  const known = Object.entries(draft).filter(
    ([name, value]) => typeof (name.startsWith(attributePrefix) ? '' : initial[name]) === typeof value,
  );
  return { ...initial, ...Object.fromEntries(known) };
}

/** Which of two values the user has chosen, and the one of somebody else that they chose it over. */
const choice = z.object({ side: z.enum(['mine', 'theirs']), theirs: fieldValue });

/** Typed values of an edit, those that the record had when it began, and what is chosen where both have changed a field. */
export const storedEdit = z.object({
  base: fieldValues,
  typed: fieldValues,
  chosen: z.catch(z.record(z.string(), choice), {}),
});
export type StoredEdit = z.infer<typeof storedEdit>;

/** Types a value into the form of a record, which may be closed: an empty text for none. `seen`: what the user has changed. */
export function putInDraft(name: string, field: string, value: unknown, seen?: string): void {
  const { base, typed, chosen } = readDraft(name, storedEdit) ?? { base: {}, typed: {}, chosen: {} };
  const { [field]: _earlier, ...others } = chosen;
  writeDraft(name, {
    base: seen === undefined ? base : { ...base, [field]: seen },
    typed: fieldValues.parse({ ...typed, [field]: value ?? '' }),
    chosen: others,
  });
}
