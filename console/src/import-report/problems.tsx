import { formatCount, pluralize } from '../format/text.ts';
import { type ColumnChoice, nameIn } from '../transfer/columns.ts';
import { describeLines, groupProblems } from './problem-groups.ts';
import type { Report } from './report.ts';

/** Problems by column and cause, with their lines folded. */
export function Problems({ report, columns }: { readonly report: Report; readonly columns: ColumnChoice }) {
  const { problems, problemCount } = report;
  if (problemCount === 0) return null;
  return (
    <section className="problems" aria-label="Problems">
      <h3>
        Problems: {formatCount(problemCount)}
        {problems.length < problemCount && ` (the first ${formatCount(problems.length)} are shown)`}
      </h3>
      {groupProblems(problems).map(({ column, message, lines, values }) => (
        <details key={`${column} ${message}`}>
          <summary>
            {column !== null && <span className="mono">{nameIn(columns, column)}: </span>}
            {column !== null && message.startsWith(column) ? message.slice(column.length + 1) : message}{' '}
            <span className="badge">{pluralize(lines.length, 'row')}</span>
          </summary>
          <p>{describeLines(lines)}</p>
          {values.length > 0 && <p className="hint name-text">The file has there: {values.join(' · ')}</p>}
        </details>
      ))}
    </section>
  );
}
