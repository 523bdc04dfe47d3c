import { useMemo } from 'react';
import { Time } from '../format/time.tsx';
import { changedFields, type Names } from '../history/changed-fields.ts';
import { ChangedValues } from '../history/changed-values.tsx';
import { nameOfDay } from '../history/days.ts';
import { didOf, type Entry, nameIn } from '../history/feed.ts';
import { t } from '../language/language.ts';
import { RecordLink } from '../links/record-link.tsx';
import type { UsedPageList } from '../lists/use-page-list.ts';
import { dayOf } from '../search-parameters.ts';
import type { Column } from '../table/columns.ts';
import { Table } from '../table/table.tsx';
import { describeChanges } from './entry.ts';

interface AuditRow extends Omit<Entry, 'id'> {
  readonly id: number;
  readonly name: string;
}

interface AuditTableProps {
  readonly label: string;
  readonly list: UsedPageList<Entry>;
  readonly names: Names;
}

/** Entries of the audit log, with what each changed. */
export function AuditTable({ label, list, names }: AuditTableProps) {
  const columns = useMemo(() => auditColumns(names), [names]);
  const items = useMemo(
    () => list.items.map((entry) => ({ ...entry, id: Number(entry.id), name: nameIn(entry) })),
    [list.items],
  );
  const { hasNext, isPrevious, loadMore } = list;
  return (
    items.length > 0 && (
      <Table label={label} list={{ items, hasNext, isPrevious, loadMore }} columns={columns} headings={dayOfEntry} />
    )
  );
}

/** The day of an entry, where it is another one than that of the entry above. */
function dayOfEntry(entry: AuditRow, above: AuditRow | undefined): string | undefined {
  return above !== undefined && dayIn(above) === dayIn(entry) ? undefined : nameOfDay(entry.at);
}

const dayIn = ({ at }: AuditRow): string => dayOf(new Date(at));

const auditColumns = (names: Names): readonly Column<AuditRow>[] => [
  {
    id: 'change',
    name: t('audit.change'),
    width: 'minmax(0, 2fr)',
    text: ({ name }) => name,
    cell: (row) => <>{t.rich('history.did', { ...didOf(row), what: () => <Subject {...row} /> })}</>,
  },
  {
    id: 'by',
    name: t('field.by'),
    width: 'minmax(0, 1fr)',
    isNarrow: true,
    text: ({ actor, keyId }) => (keyId === null ? actor : t('audit.withKey', { actor, key: String(keyId) })),
    cell: ({ actor }) => actor,
  },
  {
    id: 'when',
    name: t('audit.when'),
    width: '7rem',
    look: 'quiet',
    isNarrow: true,
    cell: ({ at }) => <Time at={at} />,
  },
  {
    id: 'values',
    name: t('audit.values'),
    width: 'minmax(0, 3fr)',
    look: 'quiet',
    isNarrow: true,
    cell: (row) => <Values row={row} names={names} />,
  },
];

function Subject({ action, subject, subjectId, name }: AuditRow) {
  const isSession = action === 'SIGN_IN' || action === 'SIGN_OUT';
  const what = isSession ? '' : t('audit.subject', { subject: subject ?? '' });
  const shown = name || String(subjectId ?? '');
  const isRecord = (subject === 'PROGRAM' || subject === 'BRANCH') && subjectId !== null;
  return (
    <>
      {what}{' '}
      {isRecord ? (
        <RecordLink kind={subject} id={subjectId}>
          {shown}
        </RecordLink>
      ) : (
        <strong>{shown}</strong>
      )}
    </>
  );
}

/** The changed values in one line, which opens to all of them. */
function Values({ row, names }: { readonly row: AuditRow; readonly names: Names }) {
  const text = describeChanges(row, names);
  if (text === '') return null;
  return (
    <details className="values">
      <summary>{text}</summary>
      <ChangedValues fields={changedFields(row.before, row.after, names)} />
    </details>
  );
}
