import { useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { useSeen } from '../components/use-is-readable.ts';
import {
  editDraft,
  type FieldValue,
  type FieldValues,
  hasDraft,
  mergeValues,
  readDraft,
  removeDraft,
  type StoredEdit,
  storedEdit,
  useShownDraft,
  writeDraft,
} from './drafts.ts';
import {
  changesOf,
  type Edited,
  type FieldNews,
  hasValues,
  isStored,
  isStoredAs,
  isUndecided,
  newsOf,
  opened,
  overtakes,
  redrawn,
  type Side,
  shownValues,
  withSide,
  withTyped,
} from './field-news.ts';
import { isOwnSave } from './own-saves.ts';
import { type Saver, useSavers } from './savers.ts';

export interface Versioned {
  readonly id: number;
  readonly name: string;
  readonly version: number;
}

/**
 * Edits a record that others may change at the same time. Fields that the user has not touched take over what others
 * save; a field that both have changed keeps what the user typed, and offers both. Typed values stay, in a draft too.
 */
export function useEdit<Values extends FieldValues, Stored extends Versioned>(
  kind: RecordKind,
  record: Stored,
  valuesOf: (record: Stored) => Values,
) {
  const { id } = record;
  const draftName = editDraft(kind, id);
  useShownDraft(draftName);
  const now = valuesOf(record);
  const [stored, setStored] = useState((): StoredEdit => {
    const { base = {}, typed = {}, chosen = {} } = readDraft(draftName, storedEdit) ?? {};
    return opened({ base: mergeValues(now, base), typed: mergeValues(now, typed), chosen, now });
  });
  const [focused, setFocused] = useState<Edited['focused']>();
  const seen = useSeen(record);
  const isOwn = (name: string): boolean => isOwnSave({ kind, id }, name, now[name], record.version);
  // What is typed over a value that this page has saved, such as in a cell beside the form, is a change of that.
  const own = Object.entries(now).filter(([name]) => stored.typed[name] !== stored.base[name] && isOwn(name));
  const known: Edited = { ...stored, base: { ...stored.base, ...Object.fromEntries(own) }, now, focused };
  const hasNews = Object.keys(now).some((name) => newsOf(known, name) !== undefined && !isOwn(name));
  const saverOf = useSavers({ kind, id }, hasNews);
  const edited = focused !== undefined && saverOf(focused.name, now[focused.name]) === 'self' ? redrawn(known) : known;
  const set = (next: StoredEdit): void => {
    writeDraft(draftName, next);
    setStored(next);
  };
  const values = shownValues(edited) as Values;
  return {
    values,
    change: (name: string, value: FieldValue): void => {
      set(withTyped(edited, name, value));
      if (focused?.name === name) setFocused({ name, text: value });
    },
    choose: (name: string, side: Side): void => set(withSide(edited, name, side)),
    newsOf: (name: string): { readonly news: FieldNews; readonly by: Saver } | undefined => {
      const news = newsOf(edited, name);
      if (news === undefined || (news.kind === 'taken-over' && isOwn(name))) return undefined;
      return { news, by: saverOf(name, now[name]) };
    },
    setFocused: (name: string | undefined): void => {
      setFocused(undefined);
      if (name === undefined) return;
      const text = values[name] ?? '';
      // What others have saved is the base of what is typed if the user can have read it; what came just now is a choice.
      const isKnown =
        isOwn(name) ||
        isStoredAs(
          text,
          seen((shown) => valuesOf(shown)[name] ?? ''),
        );
      if (newsOf(edited, name)?.kind === 'taken-over' && isKnown) setStored(withTyped(edited, name, text));
      setFocused({ name, text });
    },
    isUndecided: isUndecided(edited),
    isStored: isStored(edited),
    /** Whether something was typed that the record does not have. */
    isUnsaved: hasDraft(draftName) && !isStored(edited),
    discard: (): void => removeDraft(draftName),
    /** The fields to save. */
    send: (): Partial<Values> => {
      const changes = changesOf(edited);
      writeDraft(draftName, stored);
      return changes as Partial<Values>;
    },
    /** After they are saved: what was typed since becomes a change of that. Returns whether nothing was. */
    end: (): boolean => {
      const latest = readDraft(draftName, storedEdit) ?? stored;
      const since = Object.entries(latest.typed).filter(([name, value]) => value !== (stored.typed[name] ?? ''));
      // What others saved before it was typed on is known.
      const seen = Object.entries(latest.base).filter(([name, value]) => value !== stored.base[name]);
      const base = { ...shownValues({ ...edited, focused: undefined }), ...Object.fromEntries(seen) };
      if (since.length === 0) removeDraft(draftName);
      else set({ base, typed: { ...base, ...Object.fromEntries(since) }, chosen: {} });
      return since.length === 0;
    },
    /** Whether a version of the record has the values that were saved. */
    has: (version: Stored, saved: FieldValues): boolean => hasValues(valuesOf(version), saved),
    /** Of what was saved, another value is one that somebody has decided on since. */
    keepSaved: (saved: FieldValues): void => {
      const latest = readDraft(draftName, storedEdit) ?? stored;
      set({ ...latest, base: { ...latest.base, ...saved } });
    },
    /** Whether a later version of the record has another value in a field that is saved. */
    isOvertaken: (later: Stored, changes: FieldValues): boolean => overtakes(valuesOf(later), edited, changes),
  };
}
