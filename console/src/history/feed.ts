import { countOf } from '../bulk/nouns.ts';
import { formatList, pluralize } from '../format/text.ts';
import { changedFields, type NameOf } from './changed-fields.ts';
import type { EntriesFragment, LastChangesQuery } from './documents.generated.ts';

/** An entry of the audit log. */
export type Entry = EntriesFragment['nodes'][number];

/** The record whose history it is. */
export interface Owner {
  readonly kind: 'PROGRAM' | 'BRANCH';
  readonly id: number;
}

export const isOwn = ({ subject, subjectId }: Entry, { kind, id }: Owner): boolean =>
  subject === kind && subjectId === id;

/** Entries of one change that follow each other, such as those of an import, become one. */
export function foldChanges<Item extends { readonly changeId: string }>(entries: readonly Item[]): Item[][] {
  const folded: Item[][] = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    if (last?.[0]?.changeId === entry.changeId) last.push(entry);
    else folded.push([entry]);
  }
  return folded;
}

const verbs: Readonly<Record<string, string>> = {
  CREATE: 'created',
  UPDATE: 'changed',
  DELETE: 'deleted',
  RESTORE: 'restored',
  SIGN_IN: 'signed in:',
  SIGN_OUT: 'signed out:',
  REVOKE: 'revoked',
  ROTATE: 'rotated',
  IMPORT: 'imported',
  UNDO: 'undid a change of',
};

/** The verb for an action of the audit log: `created`. */
export const verbFor = (action: string | null): string => verbs[action ?? ''] ?? 'changed';

/** What was done, in words around the name of a branch: `renamed`, `moved … to Physics`; of the owner, `changed its code`. */
export function happened(entry: Entry, owner: Owner, nameOf: NameOf): { readonly verb: string; readonly rest: string } {
  const { action, before, after } = entry;
  const its = isOwn(entry, owner);
  const fields = action === 'UPDATE' ? changedFields(before, after, nameOf) : [];
  const moved = fields.find(({ field }) => field === 'programId');
  if (moved !== undefined) {
    const isHere = owner.kind === 'PROGRAM' && valueIn(after, 'programId') === owner.id;
    return { verb: its ? 'moved it' : 'moved', rest: isHere ? `here from ${moved.from}` : `to ${moved.to}` };
  }
  const [only, ...others] = fields;
  if (only === undefined || others.length > 0)
    return { verb: its ? `${verbFor(action)} it` : verbFor(action), rest: '' };
  if (only.field === 'name') return { verb: its ? 'renamed it' : 'renamed', rest: '' };
  return { verb: its ? `changed its ${only.name}` : `changed the ${only.name} of`, rest: '' };
}

/** A sentence about entries of one change: `created it and 5 branches`. */
export function summaryOf(entries: readonly Entry[], owner: Owner): string {
  const actions = new Set(entries.map(({ action }) => action));
  const [action = null] = actions.size === 1 ? actions : [];
  const others = entries.filter((entry) => !isOwn(entry, owner)).length;
  const what = [others < entries.length ? 'it' : '', others > 0 ? pluralize(others, 'branch', 'branches') : ''];
  return `${verbFor(action)} ${what.filter((text) => text !== '').join(' and ')}`;
}

export const valueIn = (state: unknown, field: string): unknown =>
  typeof state === 'object' && state !== null ? Object.entries(state).find(([name]) => name === field)?.[1] : undefined;

type Summary = LastChangesQuery['lastChanges'][number];

/** `3,816 programs and 8,972 branches`. */
export const countsOf = ({ programs, branches }: Pick<Summary, 'programs' | 'branches'>): string =>
  formatList(
    [programs > 0 && countOf('PROGRAM', programs), branches > 0 && countOf('BRANCH', branches)].filter(
      (text) => text !== false,
    ),
  ) || 'nothing';

/** What a change concerned: its file, its one record, or how many. */
export const describeChange = ({ file, name, ...counts }: Summary): string =>
  file ?? (counts.programs + counts.branches === 1 && name !== null ? name : countsOf(counts));
