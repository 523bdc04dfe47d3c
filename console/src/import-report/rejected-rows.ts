import { csvCell } from '../api/download.ts';
import type { Report } from '../api/import-report.ts';
import { describeProblem } from '../api/problems.ts';
import type { ColumnChoice } from '../fields/file-columns.ts';
import { t } from '../language/language.ts';
import { nameIn } from './columns.ts';

/** A row of CSV as the service writes it: its line, what is wrong, and its cells with the end of the row. */
const csvRow = /([^,\n]*),(?:(?:"[^"]*")+|[^",\n]*)((?:,(?:[^"\n]|"[^"]*")*)?\n)/gy;

/** The rows with problems, which are said in the language of the user. */
export function rejectedRows(csv: string, problems: Report['problems'], columns: ColumnChoice): string {
  return csv.replace(csvRow, (row, line: string, cells: string) => {
    if (line === 'line') return `${[t('report.line'), t('report.problems')].map(csvCell).join()}${cells}`;
    const said = problems
      .filter((problem) => String(problem.line) === line)
      .map(({ column, ...problem }) =>
        [...(column === null ? [] : [nameIn(columns, column)]), describeProblem(problem)].join(t('common.colon')),
      );
    return said.length === 0 ? row : `${line},${csvCell(said.join(' '))}${cells}`;
  });
}
