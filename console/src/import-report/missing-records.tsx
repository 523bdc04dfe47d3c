import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Confirm } from '../components/confirm.tsx';
import { toastFailure } from '../components/toast-queue.ts';
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
  const { deleted, run, check } = useDeleteMissing(readReport, onDeleted);
  /** What the dry run has said. */
  const [checked, setChecked] = useState<number | null>(null);
  const ask = async (): Promise<void> => {
    const portion = await check(missing);
    if (typeof portion === 'string') toastFailure(portion);
    else setChecked(portion.changed);
  };
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
              <Button className="button" isPending={isBusy} onPress={() => void ask()}>
                {isBusy ? `Deleting… ${formatCount(deleted)} so far` : `Delete ${pluralize(missingCount, 'record')}…`}
              </Button>
            )}
          </div>
        }
      />
      {checked !== null && (
        <Confirm
          title={`Delete ${pluralize(missingCount, 'record')} that the file does not have?`}
          action={`Delete ${pluralize(missingCount, 'record')}`}
          run={() => void run(missing)}
          close={() => setChecked(null)}
        >
          {missingCount > missing.length
            ? `The check of the first ${formatCount(checked)} found no problem; they are deleted a thousand at a time. `
            : `The check found no problem: ${pluralize(checked, 'record is', 'records are')} deleted. `}
          With a program go its branches. They can be restored, at once by “Undo” and later in the trash.
        </Confirm>
      )}
    </>
  );
}
