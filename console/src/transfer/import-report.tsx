import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components/Button';
import { formatCount, pluralize } from '../format/text.ts';
import type { ColumnChoice } from './columns.ts';
import { save } from './download.ts';
import { ColumnName } from './file-format.tsx';
import type { Report } from './import-file.ts';

/** The limit of the service. */
const rejectedMax = 1_000;

export const changesCatalog = ({ programs, branches, years }: Report): boolean =>
  [programs, branches, years].some(({ created, changed }) => created + changed > 0) || years.removed > 0;

interface ImportReportProps {
  readonly report: Report;
  readonly fileName: string;
  readonly columns: ColumnChoice;
}

/** The result of an import or its dry run. */
export function ImportReport({ report, fileName, columns }: ImportReportProps) {
  const { outcome, rows, skipped, ignoredColumns, rejectedCsv } = report;
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
          {summary[outcome]} {outcome === 'imported' && <Link to="/programs">See the programs</Link>}
        </span>
      </p>
      {/* A rejected file creates nothing, so its counts say nothing. */}
      {outcome !== 'rejected' && <Counts report={report} />}
      {ignoredColumns.length > 0 && <p className="hint">Columns that were ignored: {ignoredColumns.join(', ')}</p>}
      <Rows title="Problems" total={report.problemCount} rows={report.problems} columns={columns} />
      {rejectedCsv !== null && <RejectedRows csv={rejectedCsv} skipped={skipped} fileName={fileName} />}
      <Rows title="Values that are not used" total={report.conflictCount} rows={report.conflicts} columns={columns} />
      <Rows
        title="Values that change"
        total={report.changeCount}
        rows={report.changes.map(({ line, column, from, to }) => ({ line, column, message: `${from} → ${to}` }))}
        columns={columns}
      />
      <Rows
        title="Codes that several records have"
        total={report.ambiguousCodeCount}
        rows={report.ambiguousCodes}
        columns={columns}
      />
    </div>
  );
}

interface RejectedRowsProps {
  readonly csv: string;
  readonly skipped: number;
  readonly fileName: string;
}

/** Downloads the rows with problems, to correct them after importing the others. */
function RejectedRows({ csv, skipped, fileName }: RejectedRowsProps) {
  const listed = Math.min(skipped, rejectedMax);
  const name = `${fileName.replace(/\.[^.]*$/, '')}-problems.csv`;
  return (
    <div className="inline">
      <Button className="button" onPress={() => save(new Blob([csv], { type: 'text/csv' }), name)}>
        Download {listed < skipped && 'the first '}
        {pluralize(listed, 'row')} with problems
      </Button>
      <p className="hint">With the problem beside each row. Correct them there, and import that file.</p>
    </div>
  );
}

function Counts({ report: { outcome, programs, branches, years } }: { readonly report: Report }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Records</th>
          <th scope="col">{outcome === 'imported' ? 'Created' : 'New'}</th>
          <th scope="col">Changed</th>
          <th scope="col">Unchanged</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Programs</th>
          <td>{formatCount(programs.created)}</td>
          <td>{formatCount(programs.changed)}</td>
          <td>{formatCount(programs.unchanged)}</td>
        </tr>
        <tr>
          <th scope="row">Branches</th>
          <td>{formatCount(branches.created)}</td>
          <td>{formatCount(branches.changed)}</td>
          <td>{formatCount(branches.unchanged)}</td>
        </tr>
        <tr>
          <th scope="row">Years</th>
          <td>{formatCount(years.created)}</td>
          <td>{formatCount(years.changed)}</td>
          <td>{years.removed > 0 ? `${formatCount(years.removed)} removed` : ''}</td>
        </tr>
      </tbody>
    </table>
  );
}

interface ReportedRow {
  readonly line: number;
  readonly column: string | null;
  readonly message: string;
  readonly value?: string | null;
}

interface RowsProps {
  readonly title: string;
  readonly total: number;
  readonly rows: readonly ReportedRow[];
  readonly columns: ColumnChoice;
}

/** The name that a column of the format has in the file. */
const nameIn = (columns: ColumnChoice, column: string): string =>
  Object.entries(columns).find(([known]) => known === column)?.[1] ?? column;

function Rows({ title, total, rows, columns }: RowsProps) {
  if (total === 0) return null;
  return (
    <details open className="rows-found">
      <summary>
        {title}: {formatCount(total)}
        {rows.length < total && ` (the first ${formatCount(rows.length)} are shown)`}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls by keyboard, too. */}
      <section aria-label={title} tabIndex={0} className="scrolled">
        <table>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Column</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, column, message, value }) => (
              <tr key={`${line} ${column} ${message}`}>
                <td>{formatCount(line)}</td>
                <td className="mono">{column !== null && <ColumnName name={nameIn(columns, column)} />}</td>
                <td className="name-text what">
                  {message}
                  {value != null && (
                    <span className="hint">
                      {' '}
                      The file has <bdi className="mono">{value}</bdi>
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
