import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { csvFile, save } from '../api/download.ts';
import { changesCatalog, type Report } from '../api/import-report.ts';
import { describeProblem } from '../api/problems.ts';
import { UndoButton } from '../bulk/undo-button.tsx';
import { Button } from '../components/button.tsx';
import { formatCount } from '../format/text.ts';
import { t } from '../language/language.ts';
import { Rows } from '../table/rows.tsx';
import { Differences, PerhapsRenamed } from './differences.tsx';
import { FirstRows } from './first-rows.tsx';
import { MissingRecords } from './missing-records.tsx';
import { Problems } from './problems.tsx';
import { rejectedRows } from './rejected-rows.ts';
import { RecordName, ReportTable } from './report-table.tsx';

interface ImportReportProps extends ComponentProps<typeof Differences>, ComponentProps<typeof PerhapsRenamed> {
  readonly fileName: string;
  /** When the catalog is no longer as the report says. */
  readonly checkAgain: () => void;
  /** Whether hidden rows and columns are left out. */
  readonly skipsHidden: boolean;
  readonly skipHidden: (skips: boolean) => void;
}

/** The result of an import or its dry run. */
export function ImportReport(props: ImportReportProps) {
  const { report, fileName, columns, checkAgain, takeForRenamed, takeValues } = props;
  const { outcome, rows, skipped, repeated, ignoredColumns, rejectedCsv, problems, changeId, conflictCount } = report;
  const leftOut =
    (repeated > 0 ? ` ${t('report.repeated', { count: repeated })}` : '') +
    (skipped > 0 ? ` ${t('report.leftOut', { count: skipped })}` : '');
  const differs = conflictCount > 0;
  const summary = {
    checked:
      t('report.checked', { rows, effect: changesCatalog(report) ? 'some' : differs ? 'unused' : 'none' }) + leftOut,
    imported: t('report.imported', { rows: rows - skipped }) + leftOut,
    rejected: t('report.rejected', { skipped, rows }),
  };
  const look = { checked: differs ? 'warn' : 'good', imported: 'good', rejected: 'bad' }[outcome];
  return (
    <div className="report">
      <p role="status" className={`notice ${look}`}>
        <span>
          {outcome !== 'rejected' && <strong>{effectOf(report)} </strong>}
          {summary[outcome]} {outcome === 'imported' && <Link to="/programs">{t('report.seePrograms')}</Link>}
        </span>
      </p>
      {changeId !== null && changesCatalog(report) && (
        <div className="actions">
          <UndoButton
            key={changeId}
            changeId={changeId}
            label={t('report.undoImportOf', { file: fileName })}
            text={t('report.undoImport')}
            question={t('report.undoQuestion')}
            onUndone={checkAgain}
          />
        </div>
      )}
      {/* A rejected file creates nothing, so its counts say nothing. */}
      {outcome !== 'rejected' && <Counts report={report} />}
      {report.ids === 'ofAnotherCatalog' && <p className="hint">{t('report.ofAnother')}</p>}
      {report.repeatedHeaders > 0 && (
        <p className="hint">{t('report.repeatedHeaders', { count: report.repeatedHeaders })}</p>
      )}
      <Hidden {...props} />
      {ignoredColumns.length > 0 && (
        <p className="hint">{t('report.ignored', { columns: ignoredColumns.join(', ') })}</p>
      )}
      <Problems report={report} columns={columns} />
      {rejectedCsv !== null && (
        <div className="actions">
          <Button
            onClick={() =>
              save(
                csvFile(rejectedRows(rejectedCsv, problems, columns)),
                `${fileName.replace(/\.[^.]*$/, '')}-problems.csv`,
              )
            }
          >
            {t('report.downloadProblems')}
          </Button>
        </div>
      )}
      {outcome !== 'imported' && <FirstRows sample={report.sample} columns={columns} />}
      <ReportTable
        title={t(outcome === 'imported' ? 'report.createdRecords' : 'report.newRecords')}
        total={report.createdCount}
        heads={[t('report.line'), t('audit.what'), t('field.name'), t('field.code')]}
        rows={report.created.map((one) => [
          formatCount(one.line),
          t('report.kind', { kind: one.kind }),
          <RecordName key="" {...one} />,
          one.code,
        ])}
      />
      {outcome === 'checked' && <PerhapsRenamed report={report} takeForRenamed={takeForRenamed} />}
      <Differences report={report} columns={columns} takeValues={takeValues} />
      <Doubts title={t('report.ambiguous')} rows={report.ambiguousCodes} total={report.ambiguousCodeCount} />
      <Doubts
        title={t('report.nearlyEqual')}
        rows={report.nearlyEqual}
        total={report.nearlyEqualCount}
        note={
          // Somebody may restore those that are in the trash, elsewhere.
          outcome === 'checked' && (
            <div className="actions">
              <Button onClick={checkAgain}>{t('transfer.checkAgain')}</Button>
            </div>
          )
        }
      />
      {outcome !== 'rejected' && <MissingRecords report={report} onDeleted={checkAgain} />}
    </div>
  );
}

/** What somebody has hidden in a spreadsheet may be meant or not. */
function Hidden({ report, skipsHidden, skipHidden }: ImportReportProps) {
  const { outcome, hiddenRows: rows, hiddenColumns: columns } = report;
  if (rows + columns === 0) return null;
  const said = { rows, columns, both: rows > 0 && columns > 0 ? 'yes' : 'no', isLeft: skipsHidden ? 'yes' : 'no' };
  return (
    <div className="actions">
      <p className="hint">{t('report.hidden', said)}</p>
      {outcome !== 'imported' && (
        <Button look="quiet" onClick={() => skipHidden(!skipsHidden)}>
          {t(skipsHidden ? 'report.readHidden' : 'report.leaveHidden')}
        </Button>
      )}
    </div>
  );
}

/** `10 new, 10 changed, 106 the same.`, of programs and branches; with values that are not used, none is called the same. */
export function effectOf({ programs, branches, conflictCount }: Report): string {
  const sum = (of: keyof Report['programs']): number => programs[of] + branches[of];
  const counts = { created: sum('created'), changed: sum('changed'), unchanged: sum('unchanged') };
  return conflictCount > 0 ? t('report.effectUnused', { ...counts, count: conflictCount }) : t('report.effect', counts);
}

interface DoubtsProps {
  readonly title: string;
  readonly rows: Report['nearlyEqual'];
  readonly total: number;
  readonly note?: ReactNode;
}

/** Rows that are imported, and that somebody had better look at. */
const Doubts = ({ rows, ...list }: DoubtsProps) => (
  <ReportTable
    {...list}
    isOpen
    heads={[t('report.line'), t('audit.what')]}
    rows={rows.map(({ line, ...problem }) => [formatCount(line), describeProblem(problem)])}
  />
);

function Counts({ report: { outcome, programs, branches, years } }: { readonly report: Report }) {
  const rowOf = (title: string, { created, changed, unchanged }: Report['programs']) =>
    [title, ...[created, changed, unchanged].map(formatCount)] as const;
  return (
    <Rows
      label={t('report.numbers')}
      heads={[
        t('report.records'),
        t(outcome === 'imported' ? 'report.created' : 'report.new'),
        t('report.changed'),
        t('report.unchanged'),
      ]}
      rows={[
        rowOf(t('common.many', { kind: 'PROGRAM' }), programs),
        rowOf(t('common.many', { kind: 'BRANCH' }), branches),
        [
          t('field.years'),
          formatCount(years.created),
          formatCount(years.changed),
          years.removed > 0 && t('report.removed', { count: years.removed }),
        ],
      ]}
    />
  );
}
