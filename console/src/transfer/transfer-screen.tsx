import { PageTitle } from '../components/page-title.tsx';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/not-offered.tsx';
import { ExportSection } from './export-section.tsx';
import { ImportSection } from './import-section.tsx';
import './transfer.css';

/** The catalog as files: in and out. */
export function TransferScreen() {
  const { canRead, canWrite } = useRights();
  if (!canRead) return <NotOffered what="import or export" />;
  return (
    <>
      <PageTitle text="Import and export" />
      {canWrite && <ImportSection />}
      <ExportSection />
    </>
  );
}
