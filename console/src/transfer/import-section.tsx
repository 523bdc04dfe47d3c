import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { DropZone, type DropZoneProps } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Text } from 'react-aria-components/Text';
import sampleUrl from '../../../examples/university.csv?url';
import { Checkbox } from '../components/fields.tsx';
import { ColumnChoices } from './column-choices.tsx';
import { FileFormat } from './file-format.tsx';
import { changesCatalog, ImportReport } from './import-report.tsx';
import { type Running, useImport } from './use-import.ts';

/**
 * Checks a file first, and imports it when the user has seen the report.
 *
 * @param isSecond whether it follows the export that the user has come for, which then has the primary button.
 */
export function ImportSection({ isSecond }: { readonly isSecond: boolean }) {
  const { plan, options, report, problem, running, choose, changeColumns, changeOptions, checkAgain, run } =
    useImport();
  const trySample = async (): Promise<void> => {
    const response = await fetch(sampleUrl);
    await choose(new File([await response.blob()], 'university.csv', { type: 'text/csv' }));
  };
  const isForSample = useLocation().hash === 'sample';
  const hasTried = useRef(false);
  useEffect(() => {
    if (!isForSample || hasTried.current) return;
    hasTried.current = true;
    void trySample();
  });
  const onDrop: DropZoneProps['onDrop'] = async ({ items }) => {
    const [dropped] = items.filter((item) => item.kind === 'file');
    if (dropped !== undefined) await choose(await dropped.getFile());
  };
  const status = useRef<HTMLDivElement>(null);
  /** Moves the focus to the status: the pressed button disappears, and the result is below the status. */
  const andStay = (act: () => void) => (): void => {
    act();
    status.current?.focus({ preventScroll: true });
  };
  const isImporting = running?.task === 'import';
  const mayImport = report !== null && report.outcome === 'checked' && changesCatalog(report);
  return (
    <section className="card" aria-labelledby="import-title">
      <h2 id="import-title">Import</h2>
      <DropZone className="drop" aria-label="File to import" onDrop={onDrop} isDisabled={isImporting}>
        <Text slot="label">{plan === null ? 'Drop an Excel, CSV or JSON file here' : plan.file.name}</Text>
        <div className="actions">
          <FileTrigger
            acceptedFileTypes={['.xlsx', '.csv', '.tsv', '.txt', '.json', 'text/csv', 'application/json']}
            onSelect={(files) => {
              const [chosen] = files ?? [];
              if (chosen !== undefined) void choose(chosen);
            }}
          >
            <Button className={plan === null && !isSecond ? 'button primary' : 'button'} isDisabled={isImporting}>
              Choose a file
            </Button>
          </FileTrigger>
          <Button className="button" isDisabled={isImporting} onPress={() => void trySample()}>
            Try sample data
          </Button>
        </div>
      </DropZone>
      <p className="hint">
        One row for each branch, its program repeated. Nothing is changed before you have seen what the file would do.
      </p>
      {plan === null && <FileFormat sampleUrl={sampleUrl} />}
      {plan !== null && (
        <ColumnChoices key={plan.names.join()} names={plan.names} columns={plan.columns} onChange={changeColumns} />
      )}
      <div className="actions">
        <Checkbox
          isSelected={options.updates}
          isDisabled={isImporting}
          onChange={(updates) => changeOptions({ updates })}
        >
          Change records that exist and differ
        </Checkbox>
        <Checkbox isSelected={options.skips} isDisabled={isImporting} onChange={(skips) => changeOptions({ skips })}>
          Skip rows with problems
        </Checkbox>
      </div>
      <div ref={status} role="status" tabIndex={-1}>
        {running !== null && <Progress running={running} />}
      </div>
      {problem !== null && (
        <div role="alert" className="notice bad">
          <p>{problem}</p>
          <Button className="button" onPress={andStay(checkAgain)}>
            Check again
          </Button>
        </div>
      )}
      {plan !== null && report !== null && running === null && (
        <ImportReport report={report} fileName={plan.file.name} columns={plan.columns} />
      )}
      {plan !== null && mayImport && running === null && (
        <div className="actions">
          <Button className="button primary" onPress={andStay(run)}>
            Import {plan.file.name}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The progress of the upload; how long the service takes afterwards is unknown. */
function Progress({ running: { task, sent } }: { readonly running: Running }) {
  const isSent = sent === 1;
  const working = task === 'check' ? 'Checking the file…' : 'Importing. Others can go on working…';
  return (
    <p className="busy">
      <progress aria-label={isSent ? working : 'Sending the file'} {...(!isSent && { value: sent })} />
      {/* Hidden: a status that changes at each step would be read out again and again. */}
      {isSent ? working : 'Sending the file… '}
      {!isSent && <span aria-hidden="true">{Math.round(sent * 100)} %</span>}
    </p>
  );
}
