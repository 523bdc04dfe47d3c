import { useState } from 'react';
import {
  type FieldValue,
  type FieldValues,
  mergeValues,
  readDraft,
  removeDraft,
  storedEdit,
  writeDraft,
} from './drafts.ts';

export interface Versioned {
  readonly id: number;
  readonly name: string;
  readonly version: number;
}

export type Side = 'mine' | 'theirs';

/** A field whose edited value differs from the current record. */
export interface Difference {
  readonly name: string;
  readonly mine: FieldValue | undefined;
  readonly theirs: FieldValue | undefined;
  readonly side: Side;
}

/**
 * Edits a record that others may change at the same time. Typed values stay, in a draft too. When somebody else changes a
 * field, both versions are compared field by field.
 */
export function useEdit<Values extends FieldValues, Edited extends Versioned>(
  draftName: string,
  record: Edited,
  valuesOf: (record: Edited) => Values,
) {
  const now = valuesOf(record);
  const [{ base, typed }, setEdit] = useState(() => {
    const draft = readDraft(draftName, storedEdit);
    return { base: mergeValues(now, draft?.base ?? {}), typed: mergeValues(now, draft?.typed ?? {}) };
  });
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const differences = compare({ base, typed, now, chosen });
  // A record that was deleted and restored has another version, and the same values.
  const hasConflict = Object.keys(now).some((name) => now[name] !== base[name]);
  return {
    typed,
    change: (name: string, value: FieldValue): void => {
      const next = { base, typed: { ...typed, [name]: value } };
      writeDraft(draftName, next);
      setEdit(next);
    },
    discard: (): void => removeDraft(draftName),
    hasConflict,
    differences,
    choose: (name: string, side: Side): void => setChosen({ ...chosen, [name]: side }),
    /** The fields to save. */
    changes: (): Partial<Values> => changesOf(differences, hasConflict),
  };
}

interface Versions {
  readonly base: FieldValues;
  readonly typed: FieldValues;
  readonly now: FieldValues;
  readonly chosen: Readonly<Record<string, Side>>;
}

/** A field that was not edited gets the value of the other version, unless the user chooses otherwise. */
export function compare({ base, typed, now, chosen }: Versions): Difference[] {
  return Object.keys(typed)
    .filter((name) => (typed[name] ?? '') !== (now[name] ?? ''))
    .map((name) => ({
      name,
      mine: typed[name],
      theirs: now[name],
      side: chosen[name] ?? (typed[name] === base[name] ? 'theirs' : 'mine'),
    }));
}

/** The values to save: without a conflict all that differ, after one those that the user keeps. */
export function changesOf<Values>(differences: readonly Difference[], hasConflict: boolean): Partial<Values> {
  const kept = differences.filter(({ side }) => !hasConflict || side === 'mine');
  return Object.fromEntries(kept.map(({ name, mine }) => [name, mine])) as Partial<Values>;
}
