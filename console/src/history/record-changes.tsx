import { useMemo } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { RecordLink } from '../links/record-link.tsx';
import type { UsedPageList } from '../lists/use-page-list.ts';
import type { Column } from '../table/columns.ts';
import { Table } from '../table/table.tsx';
import { changedField, type FieldChange, type Names } from './changed-fields.ts';
import { ChangedValues } from './changed-values.tsx';
import { useNames } from './use-names.ts';

/** A record with its old and new values, as the service compares them: in a comparison, a dry run, an import, an undo. */
interface RecordChange {
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE' | 'RESTORE';
  readonly name: string;
  /** The program of a branch. */
  readonly programId: number | null;
  readonly programName: string | null;
  readonly fields: readonly FieldChange[];
}

/** A row; what else is known of the change is for the further columns. */
interface WithChange {
  readonly change: RecordChange;
}

type Row<Item> = Item & { readonly id: number; readonly name: string };

interface RecordChangesProps<Item extends WithChange> {
  readonly label: string;
  readonly records: readonly Item[];
  /** Where the records are loaded page by page. */
  readonly pages?: Pick<UsedPageList<unknown>, 'hasNext' | 'isPrevious' | 'loadMore'>;
  /** Unchanged from one rendering to the next. */
  readonly further?: readonly Column<Row<Item>>[];
}

/** Records with their old and new values, one below the other. */
export function RecordChanges<Item extends WithChange>({ label, records, pages, further }: RecordChangesProps<Item>) {
  const names = useNames(records.map(({ change: { fields } }) => ({ before: programIn(fields), after: null })));
  const columns = useMemo(() => [...changeColumns(names), ...(further ?? [])], [names, further]);
  // A program and a branch may have the same id.
  const items = useMemo(
    () => records.map((record, at) => ({ ...record, id: at + 1, name: record.change.name })),
    [records],
  );
  return items.length > 0 && <Table label={label} list={{ ...pages, items }} columns={columns} />;
}

/** The program of a branch before, whose name the change does not have. */
const programIn = (fields: readonly FieldChange[]) => ({
  programId: fields.find(({ field }) => isProgram(field))?.before,
});

/** The records of a large change that a dialog shows. */
const shownMax = 100;

interface ChangePreviewProps {
  readonly changes: readonly RecordChange[];
  /** How many records change. */
  readonly total: number;
}

/** What a dialog would change: the table in a frame of its own, so that the buttons stay on the screen. */
export function ChangePreview({ changes, total }: ChangePreviewProps) {
  const records = useMemo(() => changes.slice(0, shownMax).map((change) => ({ change })), [changes]);
  if (records.length === 0) return null;
  const label = t('history.oldAndNew');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table scrolls by keyboard, too.
    <section aria-label={label} tabIndex={0} className="scrolled">
      <RecordChanges label={label} records={records} />
      {total > records.length && <p className="hint">{t('history.andMore', { count: total - records.length })}</p>}
    </section>
  );
}

const isProgram = (field: string): boolean => field === 'programId';

const changeColumns = (names: Names): readonly Column<Row<WithChange>>[] => [
  {
    id: 'record',
    name: t('report.record'),
    width: 'minmax(0, 2fr)',
    text: ({ change: { kind, name } }) => `${t('common.one', { kind })} ${name}`,
    cell: ({ change: { kind, recordId, name, programName, fields } }) => (
      <>
        <RecordLink kind={kind} id={recordId}>
          {name}
        </RecordLink>
        {programName !== null && !fields.some(({ field }) => isProgram(field)) && (
          <span className="hint"> {t.rich('report.inProgram', { program: programName, bdi })}</span>
        )}
      </>
    ),
  },
  {
    id: 'values',
    name: t('audit.values'),
    width: 'minmax(0, 3fr)',
    isNarrow: true,
    cell: ({ change }) => <Values change={change} names={names} />,
  },
];

/** Old and new values; those of a record that came or went are folded. */
function Values({ change: { action, programId, programName, fields }, names }: ValuesProps) {
  const withProgram: Names = {
    ...names,
    of: (field, id) => (isProgram(field) && id === programId ? (programName ?? undefined) : names.of(field, id)),
  };
  const values = <ChangedValues fields={fields.map((field) => changedField(field, withProgram))} />;
  if (action === 'UPDATE') return values;
  return (
    <details className="values">
      <summary>
        <span className={action === 'DELETE' ? 'badge bad' : 'badge good'}>{t('history.became', { action })}</span>
      </summary>
      {values}
    </details>
  );
}

interface ValuesProps extends WithChange {
  readonly names: Names;
}
