import { getRouteApi } from '@tanstack/react-router';
import { PageTitle } from '../components/page-title.tsx';
import { LastChanges } from '../history/last-changes.tsx';
import { t } from '../language/language.ts';
import { isFiltered } from '../programs/search.ts';
import { useRights } from '../session/viewer.tsx';
import { ExportSection } from './export-section.tsx';
import { ImportSection } from './import-section.tsx';

const route = getRouteApi('/transfer');

/** The link from a filtered list leads to its export, which is then first. */
export function TransferScreen() {
  const { canWrite } = useRights();
  const isExportFirst = isFiltered(route.useSearch());
  return (
    <>
      <PageTitle text={t('shell.transfer')} />
      {isExportFirst && <ExportSection />}
      {canWrite && <ImportSection isSecond={isExportFirst} />}
      {canWrite && <LastChanges title={t('transfer.lastImports')} first={10} imports />}
      {!isExportFirst && <ExportSection />}
    </>
  );
}
