import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';
import { downloadAndReport } from '../api/download.ts';
import { TaskButton } from '../components/button.tsx';
import { Select } from '../components/fields.tsx';
import { useDefinitions } from '../fields/definitions.ts';
import { t } from '../language/language.ts';
import { ProgramCountDocument } from '../program/documents.generated.ts';
import { describeFilter } from '../programs/filters.ts';
import { filterOf, isFiltered } from '../programs/search.ts';
import { idsIn } from '../search-parameters.ts';
import { type ExportKind, exportAddress, exportKinds, exportName } from './export.ts';

const route = getRouteApi('/transfer');

export function ExportSection() {
  const search = route.useSearch();
  const [kind, setKind] = useState<ExportKind>('xlsx');
  const [{ data }] = useQuery({ query: ProgramCountDocument, variables: { filter: filterOf(search) } });
  // Without a number until it is known.
  const count = data?.programsConnection.totalCount ?? -1;
  const definitions = useDefinitions('PROGRAM');
  const isPart = isFiltered(search);
  const what =
    search.branchIds === undefined
      ? t('transfer.partOfPrograms', { count, filter: describeFilter(search, definitions) })
      : t('transfer.partOfBranches', { count: idsIn(search.branchIds).length });
  const run = (): Promise<void> =>
    downloadAndReport(exportAddress(kind, search), exportName(kind, search, definitions));
  return (
    <section className="card" aria-labelledby="export-title">
      <h2 id="export-title">{t('common.export')}</h2>
      {isPart ? (
        <p className="name-text">
          {what} <Link to="/transfer">{t('transfer.exportAll')}</Link>
        </p>
      ) : (
        <p>{t.rich('transfer.wholeCatalog', { count, list: (text) => <Link to="/programs">{text}</Link> })}</p>
      )}
      <div className="inline">
        <Select label={t('transfer.format')} value={kind} options={exportKinds} onChange={setKind} />
        <TaskButton look={isPart ? 'primary' : undefined} busyText={t('common.exporting')} run={run}>
          {t('common.export')}
        </TaskButton>
      </div>
      {kind === 'spreadsheet' && <p className="hint">{t('transfer.spreadsheetHint')}</p>}
    </section>
  );
}
