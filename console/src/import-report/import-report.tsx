import { Link } from '@tanstack/react-router';
import { UndoButton } from '../bulk/undo-button.tsx';
import { formatCount, pluralize } from '../format/text.ts';
import { type ColumnChoice, titleOf } from '../transfer/columns.ts';
import { csvFile, save } from '../transfer/download.ts';
import { MissingRecords } from './missing-records.tsx';
import { Problems } from './problems.tsx';
import { changesCatalog, type Report } from './report.ts';
import { RecordName, ReportTable, Rows } from './report-table.tsx';

interface ImportReportProps {
  readonly report: Report;
  readonly fileName: string;
  readonly columns: ColumnChoice;
  /** When the catalog is no longer as the report says. */
  readonly checkAgain: () => void;
  /** Takes new records for those of the catalog in whose place they stand. */
  readonly takeForRenamed: () => void;
}

/** The result of an import or its dry run. */
export function ImportReport({ report, fileName, columns, checkAgain, takeForRenamed }: ImportReportProps) {
  const { outcome, rows, skipped, ignoredColumns, rejectedCsv, changeId } = report;
  const leftOut = skipped > 0 ? ` ${pluralize(skipped, 'row')} with problems left out.` : '';
  const effect = changesCatalog(report) ? 'nothing was changed yet' : 'there is nothing to import';
  const summary = {
    checked: `Checked ${pluralize(rows, 'row')}; ${effect}.${leftOut}`,
    imported: `Imported ${pluralize(rows - skipped, 'row')}.${leftOut}`,
    rejected: `${formatCount(skipped)} of ${pluralize(rows, 'row')} have problems. Nothing is imported until you correct or skip them.`,
  };
  return (
    <div className="report">
      <p role="status" className={outcome === 'rejected' ? 'notice bad' : 'notice good'}>
        <span>
          {outcome !== 'rejected' && <strong>{effectOf(report)} </strong>}
          {summary[outcome]} {outcome === 'imported' && <Link to="/programs">See the programs</Link>}
        </span>
      </p>
      {changeId !== null && changesCatalog(report) && (
        <div className="actions">
          <UndoButton
            key={changeId}
            changeId={changeId}
            label={`Undo this import: ${fileName}`}
            text="Undo this import"
            question="What it created is deleted, and what it changed is as before. Records that somebody has changed since stay as they are, and are listed."
            onUndone={checkAgain}
          />
        </div>
      )}
      {/* A rejected file creates nothing, so its counts say nothing. */}
      {outcome !== 'rejected' && <Counts report={report} />}
      {report.ids === 'ofAnotherCatalog' && (
        <p className="hint">The numbers of its records are of another catalog: they are found by codes and names.</p>
      )}
      {ignoredColumns.length > 0 && <p className="hint">Columns that are not imported: {ignoredColumns.join(', ')}</p>}
      <Problems report={report} columns={columns} />
      {rejectedCsv !== null && (
        <div className="actions">
          <button
            type="button"
            className="button"
            onClick={() => save(csvFile(rejectedCsv), `${fileName.replace(/\.[^.]*$/, '')}-problems.csv`)}
          >
            Download the rows with problems, to correct and import them
          </button>
        </div>
      )}
      {outcome !== 'imported' && <FirstRows sample={report.sample} columns={columns} />}
      <ReportTable
        title={outcome === 'imported' ? 'Created records' : 'New records'}
        total={report.createdCount}
        heads={['Line', 'What', 'Name', 'Code']}
        rows={report.created.map((one) => [formatCount(one.line), one.kind, <RecordName key="" {...one} />, one.code])}
      />
      {outcome === 'checked' && <PerhapsRenamed report={report} takeForRenamed={takeForRenamed} />}
      <Differences report={report} columns={columns} />
      <ReportTable
        title="Codes that several records have"
        isOpen
        total={report.ambiguousCodeCount}
        heads={['Line', 'What']}
        rows={report.ambiguousCodes.map(({ line, message }) => [formatCount(line), message])}
      />
      {outcome !== 'rejected' && <MissingRecords report={report} onDeleted={checkAgain} />}
    </div>
  );
}

/** `10 new, 10 changed, 106 the same.`, of programs and branches. */
function effectOf({ programs, branches }: Report): string {
  const sum = (of: keyof Report['programs']): string => formatCount(programs[of] + branches[of]);
  return `${sum('created')} new, ${sum('changed')} changed, ${sum('unchanged')} the same.`;
}

interface PerhapsRenamedProps extends Pick<ImportReportProps, 'report' | 'takeForRenamed'> {}

/** New records that stand where others of the catalog are missing in the file. */
function PerhapsRenamed({ report: { perhapsRenamed, perhapsRenamedCount }, takeForRenamed }: PerhapsRenamedProps) {
  const named = (name: string, code: string | null): string => (code === null ? name : `${name} (${code})`);
  return (
    <ReportTable
      title="New records that stand where one of the catalog is missing in the file: renamed?"
      isOpen
      total={perhapsRenamedCount}
      heads={['Line', 'What', 'In the catalog', 'In the file']}
      note={
        <div className="actions">
          <button type="button" className="button" onClick={takeForRenamed}>
            They are renamed
          </button>
          <p className="hint">Else they are created, and the others stay.</p>
        </div>
      }
      rows={perhapsRenamed.map(({ line, kind, name, code, oldName, oldCode, programName }) => [
        formatCount(line),
        kind,
        <RecordName key="" name={named(oldName, oldCode)} programName={programName} />,
        named(name, code),
      ])}
    />
  );
}

/** What changes, and what is kept though the file differs: the value of the file beside that of the catalog. */
function Differences({ report, columns }: { readonly report: Report; readonly columns: ColumnChoice }) {
  const empty = <em className="hint">empty</em>;
  return (
    <>
      <ReportTable
        title="Values that change"
        isOpen
        total={report.changeCount}
        heads={['Line', 'Record', 'Column', 'In the catalog', 'In the file']}
        rows={report.changes.map(({ line, column, from, to, ...record }) => [
          formatCount(line),
          <RecordName key="" {...record} />,
          titleOf(columns, column),
          from || empty,
          to || empty,
        ])}
      />
      <ReportTable
        title="Values of the file that are not used"
        isOpen={report.changeCount === 0}
        total={report.conflictCount}
        heads={['Line', 'Record', 'Column', 'Kept', 'In the file']}
        note={
          report.conflicts.some(({ keptLine }) => keptLine === null) && (
            <p className="hint">To take those of the file, tick “Change records that exist and differ”.</p>
          )
        }
        rows={report.conflicts.map(({ line, column, message, value, kept, keptLine, name, programName = null }) => [
          formatCount(line),
          name !== undefined && <RecordName key="" name={name} programName={programName} />,
          column !== null && titleOf(columns, column),
          name === undefined
            ? message
            : `${kept ?? ''}${keptLine === null ? '' : ` (line ${formatCount(keptLine)})`}` || empty,
          value || empty,
        ])}
      />
    </>
  );
}

/** The first rows as the catalog would have them. */
function FirstRows({ sample, columns }: { readonly sample: Report['sample']; readonly columns: ColumnChoice }) {
  const filled = sample.flatMap(({ cells }) => Object.keys(cells).filter((column) => cells[column] != null));
  const used = [...new Set(filled)];
  return (
    <ReportTable
      title="First rows as they will be"
      heads={['Line', ...used.map((column) => titleOf(columns, column))]}
      rows={sample.map(({ line, cells }) => [formatCount(line), ...used.map((column) => String(cells[column] ?? ''))])}
    />
  );
}

function Counts({ report: { outcome, programs, branches, years } }: { readonly report: Report }) {
  const rowOf = (title: string, { created, changed, unchanged }: Report['programs']) =>
    [title, ...[created, changed, unchanged].map(formatCount)] as const;
  return (
    <Rows
      label="Numbers of records"
      heads={['Records', outcome === 'imported' ? 'Created' : 'New', 'Changed', 'Unchanged']}
      rows={[
        rowOf('Programs', programs),
        rowOf('Branches', branches),
        [
          'Years',
          formatCount(years.created),
          formatCount(years.changed),
          years.removed > 0 && `${formatCount(years.removed)} removed`,
        ],
      ]}
    />
  );
}
