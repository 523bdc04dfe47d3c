import { formatList } from '../format/text.ts';
import { valueIn } from '../forms/attributes.ts';
import { t } from '../language/language.ts';
import type { RecordReference } from '../links/record-link.tsx';
import { browserName } from '../session/browser-name.ts';
import { changedFields, type Names } from './changed-fields.ts';
import type { ChangeFragment, EntriesFragment } from './documents.generated.ts';

/** An entry of the audit log. */
export type Entry = EntriesFragment['nodes'][number];

export const isOwn = ({ subject, subjectId }: Entry, { kind, id }: RecordReference): boolean =>
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

type Did = { readonly action: string | null } & Partial<Pick<ChangeFragment, 'origin' | 'movedFrom' | 'movedTo'>>;

/** What somebody did, for `history.did`: pasted, moved from where to where, or else the action of the audit log. */
export const didOf = ({ action, origin, movedFrom, movedTo }: Did) => ({
  action: origin ?? (movedTo ? 'MOVE' : (action ?? '')),
  hasFrom: movedFrom ? 'yes' : 'no',
  from: movedFrom?.name ?? '',
  to: movedTo?.name ?? '',
});

/** `created the program Physics`. */
export const describeAction = (did: Did, what: string): string =>
  t.markup('history.did', { ...didOf(did), what: () => what });

/** What was done to the owner or to a branch of it, for `history.own` and `history.ofBranch`. */
export function happened({ action, before, after }: Entry, names: Names) {
  const fields = action === 'UPDATE' ? changedFields(before, after, names) : [];
  const moved = fields.find(({ field }) => field === 'programId');
  if (moved !== undefined) {
    return { what: 'moved', field: '', from: moved.from ?? '', place: moved.to ?? '' };
  }
  const [only, ...others] = fields;
  if (only === undefined || others.length > 0) return { what: action ?? '', field: '', from: '', place: '' };
  return { what: only.field === 'name' ? 'renamed' : 'field', field: only.name, from: '', place: '' };
}

/** A sentence about entries of one change: `created it and 5 branches`. */
export function summaryOf(entries: readonly Entry[], owner: RecordReference): string {
  const actions = new Set(entries.map(({ action }) => action));
  const [action = null] = actions.size === 1 ? actions : [];
  const others = entries.filter((entry) => !isOwn(entry, owner)).length;
  const what = [
    ...(others < entries.length ? [t('history.it', { kind: owner.kind })] : []),
    ...(others > 0 ? [t('common.count', { kind: 'BRANCH', count: others })] : []),
  ];
  return describeAction({ action }, formatList(what));
}

/** The name of the record of an entry, empty if it has none. */
export const nameIn = ({ before, after }: Pick<Entry, 'before' | 'after'>): string =>
  browserName(String(valueIn(after, 'name') ?? valueIn(before, 'name') ?? ''));

type Counts = Pick<ChangeFragment, 'programs' | 'branches'>;

const listed = ({ programs, branches }: Counts, message: 'common.count' | 'history.ofCount'): string =>
  formatList(
    [
      programs > 0 && t(message, { kind: 'PROGRAM', count: programs }),
      branches > 0 && t(message, { kind: 'BRANCH', count: branches }),
    ].filter((text) => text !== false),
  ) || t('common.nothing');

/** `3,816 programs and 8,972 branches`. */
export const countsOf = (counts: Counts): string => listed(counts, 'common.count');

const isOne = ({ programs, branches }: Counts): boolean => programs + branches === 1;

/** So many fields are named. */
const fieldsMax = 3;

type Parts = Pick<ChangeFragment, 'programs' | 'branches' | 'fields' | 'movedTo'>;

/** `duration and code of 135 programs`, or how many alone. */
export function partsOf(change: Parts, nameOf: (field: string) => string): string {
  const { fields, movedTo } = change;
  const isNamed = fields !== null && fields.length <= fieldsMax && movedTo === null;
  if (!isNamed) return countsOf(change);
  return t('history.fieldsOf', { fields: formatList(fields.map(nameOf)), what: listed(change, 'history.ofCount') });
}

/** What a change concerned: its file, its one record, or fields of many. */
export const describeChange = (change: ChangeFragment, nameOf: (field: string) => string): string =>
  change.file ?? (isOne(change) && change.name !== null ? change.name : partsOf(change, nameOf));
