import { useEffect, useMemo, useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import type { RecordKind } from '../api/event-stream.ts';
import { createListeners } from '../browser/listeners.ts';
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

/** An edit whose fields have been changed back has none. */
function hasChanges(name: string): boolean {
  const edit = readDraft(name, storedEdit);
  return edit === null || Object.entries(edit.typed).some(([field, value]) => value !== (edit.base[field] ?? ''));
}

/** What was typed in this tab and is not saved, by the names of its drafts. */
export const draftNames = (): readonly string[] =>
  tabStorage
    .names(prefix)
    .map((name) => name.slice(prefix.length))
    .filter(hasChanges);

export const hasDrafts = (): boolean => draftNames().length > 0;

/** The drafts whose forms are on the screen. */
const shown = new Set<string>();
const shownChanges = createListeners();

/** Says that the form of a draft is on the screen. */
export function useShownDraft(name: string): void {
  useEffect(() => {
    shown.add(name);
    shownChanges.notify();
    return () => {
      shown.delete(name);
      shownChanges.notify();
    };
  }, [name]);
}

/** The drafts whose forms were left. */
export function useLeftDrafts(): readonly string[] {
  const left = useSyncExternalStore(listenToDrafts, () =>
    JSON.stringify(draftNames().filter((name) => !shown.has(name))),
  );
  return useMemo(() => parse(left, z.array(z.string())) ?? [], [left]);
}

function listenToDrafts(changed: () => void): () => void {
  const stops = [tabStorage.listen(changed), shownChanges.listen(changed)];
  return () => {
    for (const stop of stops) stop();
  };
}

const titled = z.object({
  about: z.optional(z.string()),
  base: z.optional(z.object({ name: z.optional(z.string()) })),
});

/** The name of the record that a draft is about, as far as it says that. */
export function recordNameIn(name: string): string | undefined {
  const { about, base } = readDraft(name, titled) ?? {};
  return about ?? base?.name;
}

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

/**
 * Types a value into the form of a record, which may be closed: an empty text for none.
 *
 * @param about The name of the record.
 * @param seen What the user has changed.
 */
export function putInDraft(name: string, field: string, value: unknown, about: string, seen?: string): void {
  const { base, typed, chosen } = readDraft(name, storedEdit) ?? { base: {}, typed: {}, chosen: {} };
  const { [field]: _earlier, ...others } = chosen;
  writeDraft(name, {
    about,
    base: seen === undefined ? base : { ...base, [field]: seen },
    typed: fieldValues.parse({ ...typed, [field]: value ?? '' }),
    chosen: others,
  });
}
