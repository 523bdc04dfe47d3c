import { changedFields, type NameOf } from '../history/changed-fields.ts';
import { type Entry, valueIn } from '../history/feed.ts';
import { t } from '../language/language.ts';

/** The name of the record of an entry, empty if it has none. */
export const nameIn = ({ before, after }: Pick<Entry, 'before' | 'after'>): string =>
  String(valueIn(after, 'name') ?? valueIn(before, 'name') ?? '');

/** The changes of an entry in one line: `duration: 3 Years → 4 Years; code: → PHY`. */
export const describeChanges = ({ before, after }: Pick<Entry, 'before' | 'after'>, nameOf: NameOf): string =>
  changedFields(before, after, nameOf)
    .map(({ name, from, to }) => `${name}: ${[from, to].filter((value) => value !== null).join(' → ')}`)
    .join('; ');

/** The newest entries: a file of all would take longer than a person waits. */
export const exportMax = 10_000;

const columns = ['at', 'user', 'action', 'kind', 'id', 'name', 'changes', 'key', 'change'];

export const csvOf = (entries: readonly Entry[], nameOf: NameOf): string =>
  [columns, ...entries.map((entry) => rowOf(entry, nameOf))].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

function rowOf(entry: Entry, nameOf: NameOf): string[] {
  const { at, actor, action, subject, subjectId, keyId, changeId } = entry;
  const kind = subject?.toLowerCase().replace('_', ' ') ?? '';
  return [
    at,
    actor,
    action === null ? '' : t(`auditAction.${action}`),
    kind,
    String(subjectId ?? ''),
    nameIn(entry),
    describeChanges(entry, nameOf),
    String(keyId ?? ''),
    changeId,
  ];
}

/** A spreadsheet takes a text that begins so for a formula. */
const formula = /^[=+\-@\t]/;

const cell = (text: string): string => `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
