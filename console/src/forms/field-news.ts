import type { FieldValue, FieldValues, StoredEdit } from './drafts.ts';

export type Side = 'mine' | 'theirs';

interface Conflict {
  readonly kind: 'conflict';
  readonly mine: FieldValue;
  readonly theirs: FieldValue;
  /** `undefined` until the user has chosen: nothing is saved before. */
  readonly side: Side | undefined;
}

/** Effect of a save by somebody else on a field: its value is taken over, or will be, or the user chooses. */
export type FieldNews = { readonly kind: 'taken-over' | 'waiting' } | Conflict;

/** An edit with the current record. */
export interface Edited extends StoredEdit {
  readonly now: FieldValues;
  /** The field that has the focus, and its text, which only the user changes. */
  readonly focused?: { readonly name: string; readonly text: FieldValue } | undefined;
}

const valueIn = (values: FieldValues, name: string): FieldValue => values[name] ?? '';

/** Whether both are the same once they are stored: the service trims and normalizes what it is sent. */
export const isStoredAs = (value: FieldValue, stored: FieldValue | undefined): boolean =>
  String(value).normalize().trim() ===
  String(stored ?? '')
    .normalize()
    .trim();

/** Whether these values are stored. */
export const hasValues = (stored: FieldValues, values: FieldValues): boolean =>
  Object.entries(values).every(([name, value]) => isStoredAs(value, stored[name]));

const isTyped = ({ base, typed }: StoredEdit, name: string): boolean => valueIn(typed, name) !== valueIn(base, name);

/** What the user has chosen, unless somebody has saved another value since. */
function sideOf({ chosen, now }: Edited, name: string): Side | undefined {
  const choice = chosen[name];
  return choice !== undefined && isStoredAs(choice.theirs, now[name]) ? choice.side : undefined;
}

/** Whether a field that has no focus shows the value of the user instead of the current one. */
const isOwn = (edited: Edited, name: string): boolean => isTyped(edited, name) && sideOf(edited, name) !== 'theirs';

/** Returns the value of each field; untouched fields have the current one. */
export function shownValues(edited: Edited): FieldValues {
  const { base, typed, now, focused } = edited;
  const names = Object.keys({ ...base, ...typed, ...now });
  const shown = names.map((name) => [name, valueIn(isOwn(edited, name) ? typed : now, name)] as const);
  return { ...Object.fromEntries(shown), ...(focused !== undefined && { [focused.name]: focused.text }) };
}

/** The edit of a form that opens: fields that the user has not touched begin with the current value. */
export function opened(edited: Edited): StoredEdit {
  const { base, typed, chosen, now } = edited;
  const untouched = Object.keys(typed).filter((name) => !isTyped(edited, name));
  const current = Object.fromEntries(untouched.map((name) => [name, valueIn(now, name)]));
  return { base: { ...base, ...current }, typed: { ...typed, ...current }, chosen };
}

/** What the user has saved in another window appears in the field that has the focus, too, if nothing was typed in it. */
export function redrawn(edited: Edited): Edited {
  const { base, typed, now, focused } = edited;
  if (focused === undefined || newsOf(edited, focused.name)?.kind !== 'waiting') return edited;
  const { name } = focused;
  const text = valueIn(now, name);
  return { ...edited, base: { ...base, [name]: text }, typed: { ...typed, [name]: text }, focused: { name, text } };
}

const without = (chosen: Edited['chosen'], name: string): Edited['chosen'] =>
  Object.fromEntries(Object.entries(chosen).filter(([one]) => one !== name));

/**
 * Adds a typed value; in a field with the current value it is a change of that, unless that came while the field has the
 * focus, or just before. To type on chooses nothing.
 */
export function withTyped(edited: Edited, name: string, value: FieldValue): StoredEdit {
  const { base, typed, chosen, now, focused } = edited;
  const own = sideOf(edited, name) !== 'theirs' && (focused?.name === name || isTyped(edited, name));
  return {
    base: own ? base : { ...base, [name]: valueIn(now, name) },
    typed: { ...typed, [name]: value },
    chosen: own ? chosen : without(chosen, name),
  };
}

/** Chooses a value of a field that both have changed. The user's own is remembered. */
export const withSide = ({ base, typed, chosen, now }: Edited, name: string, side: Side): StoredEdit => ({
  base,
  typed,
  chosen: { ...chosen, [name]: { side, theirs: valueIn(now, name) } },
});

export function newsOf(edited: Edited, name: string): FieldNews | undefined {
  const theirs = valueIn(edited.now, name);
  if (isStoredAs(valueIn(edited.base, name), theirs)) return undefined;
  if (!isTyped(edited, name))
    return { kind: isStoredAs(valueIn(shownValues(edited), name), theirs) ? 'taken-over' : 'waiting' };
  const mine = valueIn(edited.typed, name);
  if (isStoredAs(mine, theirs)) return undefined;
  return { kind: 'conflict', mine, theirs, side: sideOf(edited, name) };
}

/** Whether all that was typed is stored, such as by a save whose answer was lost. */
export const isStored = (edited: Edited): boolean =>
  Object.entries(edited.typed).every(([name, value]) => !isTyped(edited, name) || isStoredAs(value, edited.now[name]));

/** Whether a conflict has no choice. */
export const isUndecided = (edited: Edited): boolean =>
  Object.keys(edited.typed).some((name) => {
    const news = newsOf(edited, name);
    return news?.kind === 'conflict' && news.side === undefined;
  });

/** Returns the values to save: the user's that differ from the current ones. */
export function changesOf(edited: Edited): FieldValues {
  const shown = Object.entries(shownValues({ ...edited, focused: undefined }));
  return Object.fromEntries(shown.filter(([name, value]) => value !== valueIn(edited.now, name)));
}

/** Whether, in a later version of the record, others have changed a field of these changes once more. */
export const overtakes = (later: FieldValues, { now }: Edited, changes: FieldValues): boolean =>
  Object.keys(changes).some((name) => valueIn(later, name) !== valueIn(now, name));
