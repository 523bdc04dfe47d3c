import type { Report } from '../api/import-report.ts';
import type { ColumnChoice } from '../fields/file-columns.ts';
import { shortened } from '../format/text.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { nameIn } from './columns.ts';
import { describeLines, groupProblems } from './problem-groups.ts';
import { titleWithCount } from './report-table.tsx';

/** Problems by column and cause, with their lines folded. */
export function Problems({ report, columns }: { readonly report: Report; readonly columns: ColumnChoice }) {
  const { problems, problemCount } = report;
  if (problemCount === 0) return null;
  return (
    <section className="problems" aria-label={t('report.problems')}>
      <h3>{titleWithCount(t('report.problems'), problems.length, problemCount)}</h3>
      {groupProblems(problems).map(({ column, message, lines, values }) => (
        <details key={`${column} ${message}`}>
          <summary>
            {column !== null && (
              <>
                <span className="mono">{nameIn(columns, column)}</span>
                {t('common.colon')}
              </>
            )}
            {message} <span className="badge">{t('report.rowCount', { count: lines.length })}</span>
          </summary>
          <p>{describeLines(lines)}</p>
          {values.length > 0 && (
            <p className="hint name-text">
              {t.rich('report.fileHas', { values: values.map(shortened).join(' · '), bdi })}
            </p>
          )}
        </details>
      ))}
    </section>
  );
}
