import { useState } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import type { Report } from '../api/import-report.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import { describeStep } from '../bulk/nouns.ts';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import { RecordName, ReportTable } from './report-table.tsx';

interface MissingRecordsProps {
  readonly report: Report;
  readonly onDeleted: () => void;
}

/** What is in the catalog and not in the file, and its deletion: of what is listed, which is as much as one change takes. */
export function MissingRecords({ report: { missing, missingCount, skipped }, onDeleted }: MissingRecordsProps) {
  const [deleting, setDeleting] = useState<RecordKind | null>(null);
  const idsOf = (kind: RecordKind): number[] =>
    missing.filter((one) => one.kind.toUpperCase() === kind).map(({ recordId }) => recordId);
  const kinds = (['PROGRAM', 'BRANCH'] as const).filter((kind) => idsOf(kind).length > 0);
  return (
    <>
      <ReportTable
        title={t('report.missing')}
        total={missingCount}
        heads={[t('audit.what'), t('field.name'), t('field.code')]}
        rows={missing.map((one) => [t('report.kind', { kind: one.kind }), <RecordName key="" {...one} />, one.code])}
        note={
          skipped > 0 ? (
            <p className="hint">{t('report.correctFirst')}</p>
          ) : (
            <div className="actions">
              <p className="hint">{t('report.importLeaves')}</p>
              {kinds.map((kind) => (
                <Button key={kind} onClick={() => setDeleting(kind)}>
                  {describeStep(kind, 'delete', idsOf(kind).length)}…
                </Button>
              ))}
            </div>
          )
        }
      />
      {deleting !== null && (
        <BulkDialog
          kind={deleting}
          action="delete"
          ids={idsOf(deleting)}
          changed={onDeleted}
          close={() => setDeleting(null)}
        />
      )}
    </>
  );
}
