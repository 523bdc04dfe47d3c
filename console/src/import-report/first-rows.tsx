import type { Report } from '../api/import-report.ts';
import type { ColumnChoice } from '../fields/file-columns.ts';
import { formatCount } from '../format/text.ts';
import { t } from '../language/language.ts';
import { titleOf } from './columns.ts';
import { ReportTable } from './report-table.tsx';
import { useShownValues } from './use-shown-values.ts';

/** The first rows as the catalog would have them. */
export function FirstRows({ sample, columns }: { readonly sample: Report['sample']; readonly columns: ColumnChoice }) {
  const shown = useShownValues();
  const filled = sample.flatMap(({ cells }) => Object.keys(cells).filter((column) => cells[column] != null));
  const used = [...new Set(filled)];
  return (
    <ReportTable
      title={t('report.firstRows')}
      heads={[t('report.line'), ...used.map((column) => titleOf(columns, column))]}
      rows={sample.map(({ line, cells }) => [formatCount(line), ...used.map((column) => shown(column, cells[column]))])}
    />
  );
}
