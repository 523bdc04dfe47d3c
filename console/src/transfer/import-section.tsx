import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { DropZone, type DropZoneProps } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Text } from 'react-aria-components/Text';
import sampleUrl from '../../../examples/university.csv?url';
import { Checkbox } from '../components/fields.tsx';
import { ImportReport } from '../import-report/import-report.tsx';
import { changesCatalog } from '../import-report/report.ts';
import { ColumnChoices } from './column-choices.tsx';
import { FileFormat } from './file-format.tsx';
import { FileReading } from './file-reading.tsx';
import { type Task, useImport } from './use-import.ts';

interface ImportSectionProps {
  /** Whether it follows the export that the user has come for, which then has the primary button. */
  readonly isSecond: boolean;
}

/** Checks a file first, and imports it when the user has seen the report. */
export function ImportSection({ isSecond }: ImportSectionProps) {
  const { plan, options, report, problem, running, ...does } = useImport();
  const { choose, changeReading, changeColumns, changeOptions, checkAgain, run } = does;
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
  const isImporting = running === 'import';
  const mayImport = report !== null && report.outcome === 'checked' && changesCatalog(report);
  return (
    <section className="card" aria-labelledby="import-title">
      <h2 id="import-title">Import</h2>
      <DropZone
        className={plan === null ? 'drop' : 'drop chosen'}
        aria-label="File to import"
        onDrop={onDrop}
        isDisabled={isImporting}
      >
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
      <p className="hint">Nothing is changed before you have seen what the file would do.</p>
      {plan === null && <FileFormat sampleUrl={sampleUrl} />}
      {plan !== null && (plan.head !== null || running === null) && (
        <FileReading {...plan} report={report} onChange={changeReading} />
      )}
      {plan !== null && plan.head !== null && (
        <ColumnChoices
          key={plan.head.columns.map(({ name }) => name).join()}
          names={plan.head.columns}
          columns={plan.columns}
          onChange={changeColumns}
        />
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
        {running !== null && (
          <p className="busy">
            <progress aria-hidden="true" />
            {workings[running]}
          </p>
        )}
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
        <ImportReport report={report} fileName={plan.file.name} columns={plan.columns} checkAgain={checkAgain} />
      )}
      {plan !== null && mayImport && running === null && (
        <div className="actions import-bar">
          <Button className="button primary" onPress={andStay(run)}>
            Import {plan.file.name}
          </Button>
        </div>
      )}
    </section>
  );
}

const workings = {
  read: 'Reading the columns…',
  check: 'Checking the file…',
  import: 'Importing. Others can go on working…',
} as const satisfies Record<Task, string>;
