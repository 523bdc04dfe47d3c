import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Confirm } from '../components/confirm.tsx';
import { formatCount, pluralize } from '../format/text.ts';
import type { Report } from './report.ts';
import { RecordName, ReportTable } from './report-table.tsx';
import { useDeleteMissing } from './use-delete-missing.ts';

interface MissingRecordsProps {
  readonly report: Report;
  readonly readReport: () => Promise<Report | string>;
  readonly onDeleted: () => void;
}

/** What is in the catalog and not in the file, and its deletion. */
export function MissingRecords({ report, readReport, onDeleted }: MissingRecordsProps) {
  const { missing, missingCount, skipped } = report;
  const { deleted, run } = useDeleteMissing(readReport, onDeleted);
  const [isAsking, setIsAsking] = useState(false);
  const isBusy = deleted !== null;
  return (
    <>
      <ReportTable
        title="In the catalog and not in the file"
        total={missingCount}
        heads={['What', 'Name', 'Code']}
        rows={missing.map((one) => [one.kind, <RecordName key="" {...one} />, one.code])}
        note={
          <div className="inline">
            <p className="hint">
              {skipped === 0
                ? 'An import leaves them as they are. With a program go its branches, which are not listed.'
                : 'To delete them, correct the rows with problems first: their records count as missing.'}
            </p>
            {skipped === 0 && (
              <Button className="button" isPending={isBusy} onPress={() => setIsAsking(true)}>
                {isBusy ? `Deleting… ${formatCount(deleted)} so far` : `Delete ${pluralize(missingCount, 'record')}…`}
              </Button>
            )}
          </div>
        }
      />
      {isAsking && (
        <Confirm
          title={`Delete ${pluralize(missingCount, 'record')} that the file does not have?`}
          action={`Delete ${pluralize(missingCount, 'record')}`}
          run={() => void run(missing)}
          close={() => setIsAsking(false)}
        >
          With a program go its branches. They can be restored, at once by “Undo” and later in the trash.
        </Confirm>
      )}
    </>
  );
}
