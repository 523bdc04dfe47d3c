import { useMemo } from 'react';
import type { Report } from '../api/import-report.ts';
import { Button } from '../components/button.tsx';
import type { ColumnChoice } from '../fields/file-columns.ts';
import { formatCount } from '../format/text.ts';
import { RecordChanges } from '../history/record-changes.tsx';
import { t } from '../language/language.ts';
import type { Column } from '../table/columns.ts';
import { titleOf } from './columns.ts';
import { RecordName, ReportList, ReportTable } from './report-table.tsx';
import { useShownValues } from './use-shown-values.ts';

interface PerhapsRenamedProps {
  readonly report: Report;
  /** Takes new records for those of the catalog in whose place they stand. */
  readonly takeForRenamed: () => void;
}

/** New records that stand where others of the catalog are missing in the file. */
export function PerhapsRenamed({
  report: { perhapsRenamed, perhapsRenamedCount },
  takeForRenamed,
}: PerhapsRenamedProps) {
  const named = (name: string, code: string | null): string => (code === null ? name : `${name} (${code})`);
  return (
    <ReportTable
      title={t('report.perhapsRenamed')}
      isOpen
      total={perhapsRenamedCount}
      heads={[t('report.line'), t('audit.what'), t('report.inCatalog'), t('report.inFile')]}
      note={
        <div className="actions">
          <Button onClick={takeForRenamed}>{t('report.areRenamed')}</Button>
          <p className="hint">{t('report.elseCreated')}</p>
        </div>
      }
      rows={perhapsRenamed.map(({ line, kind, name, code, oldName, oldCode, programName }) => [
        formatCount(line),
        t('report.kind', { kind }),
        <RecordName key="" name={named(oldName, oldCode)} programName={programName} />,
        named(name, code),
      ])}
    />
  );
}

/** The line of the file; not of records beyond the values that are listed. */
const furtherColumns: readonly Column<{ readonly line: number | undefined }>[] = [
  {
    id: 'line',
    name: t('report.line'),
    width: '5rem',
    isNarrow: true,
    cell: ({ line }) => line !== undefined && formatCount(line),
  },
];

/** The records that change, with their old and new values. */
function ValuesThatChange({ report: { records, recordCount, changes } }: Pick<DifferencesProps, 'report'>) {
  const shown = useMemo(() => {
    const lines = new Map(changes.map(({ kind, recordId, line }) => [kind + recordId, line]));
    return records.map((change) => ({ change, line: lines.get(change.kind + change.recordId) }));
  }, [records, changes]);
  const title = t('report.valuesChange');
  return (
    <ReportList title={title} isOpen shown={shown.length} total={recordCount}>
      <RecordChanges label={title} records={shown} further={furtherColumns} />
    </ReportList>
  );
}

interface DifferencesProps {
  readonly report: Report;
  readonly columns: ColumnChoice;
  /** Takes the values of the file that differ from those of the catalog. */
  readonly takeValues: () => void;
}

/** What changes, and what is kept though the file differs: the value of the file beside that of the catalog. */
export function Differences({ report, columns, takeValues }: DifferencesProps) {
  const shown = useShownValues();
  const empty = <em className="hint">{t('common.empty')}</em>;
  return (
    <>
      <ValuesThatChange report={report} />
      <ReportTable
        title={t('report.valuesUnused')}
        // Nobody expects that another row of their own file counts.
        isOpen={report.changeCount === 0 || report.conflicts.some(({ keptLine }) => keptLine !== null)}
        total={report.conflictCount}
        heads={[t('report.line'), t('report.record'), t('transfer.column'), t('report.kept'), t('report.inFile')]}
        note={
          report.outcome !== 'imported' &&
          report.conflicts.some(({ keptLine }) => keptLine === null) && (
            <div className="actions">
              <Button onClick={takeValues}>{t('report.takeThose')}</Button>
            </div>
          )
        }
        rows={report.conflicts.map(({ line, column, value, kept, keptLine, name, programName = null }) => [
          formatCount(line),
          name !== undefined && <RecordName key="" name={name} programName={programName} />,
          column !== null && titleOf(columns, column),
          name === undefined ? t('problem.NO_BRANCH') : keptOf(shown(column, kept), keptLine) || empty,
          shown(column, value) || empty,
        ])}
      />
    </>
  );
}

/** The value that is kept, of the catalog or of another line of the file. */
const keptOf = (value: string, line: number | null): string =>
  line === null ? value : t('report.keptFrom', { value, line });
