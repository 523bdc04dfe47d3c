import { csvCell } from '../api/download.ts';
import { changedFields, type Names } from '../history/changed-fields.ts';
import { type Entry, nameIn } from '../history/feed.ts';
import { t } from '../language/language.ts';

/** The changes of an entry in one line: `duration: 3 Years → 4 Years; code: → PHY`. */
export const describeChanges = ({ before, after }: Pick<Entry, 'before' | 'after'>, names: Names): string =>
  changedFields(before, after, names)
    .map(
      ({ name, from, to }) => `${name}${t('common.colon')}${[from, to].filter((value) => value !== null).join(' → ')}`,
    )
    .join(t('common.semicolon'));

/** The newest entries: a file of all would take longer than a person waits. */
export const exportMax = 10_000;

const heads = () => [
  ...[t('audit.when'), t('field.by'), t('audit.was'), t('audit.what'), t('field.number'), t('field.name')],
  ...[t('audit.values'), t('access.key'), t('audit.change')],
];

/** Entries as CSV, for people: programs read the audit log by GraphQL. */
export const csvOf = (entries: readonly Entry[], names: Names): string =>
  [heads(), ...entries.map((entry) => rowOf(entry, names))].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

function rowOf(entry: Entry, names: Names): string[] {
  const { at, actor, action, subject, subjectId, keyId, changeId } = entry;
  return [
    at,
    actor,
    action === null ? '' : t(`auditAction.${action}`),
    subject === null ? '' : t(`auditSubject.${subject}`),
    String(subjectId ?? ''),
    nameIn(entry),
    describeChanges(entry, names),
    String(keyId ?? ''),
    changeId,
  ];
}
