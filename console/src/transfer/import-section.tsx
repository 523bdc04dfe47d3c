import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { DropZone, type DropZoneProps } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Text } from 'react-aria-components/Text';
import { useMutation } from 'urql';
import sampleUrl from '../../../examples/university.csv?url';
import { describeError, problemsOf } from '../api/errors.ts';
import { Checkbox } from '../components/fields.tsx';
import { toast } from '../components/toast-queue.ts';
import { ImportDocument, type ImportMutation } from './documents.generated.ts';
import { ImportReport } from './import-report.tsx';

type Report = ImportMutation['importCatalog'];

/** A file is checked first, and imported when the person has seen what that would do. */
export function ImportSection() {
  const [file, setFile] = useState<File | null>(null);
  const [updates, setUpdates] = useState(false);
  const [skips, setSkips] = useState(false);
  const [report, setReport] = useState<Report | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [running, setRunning] = useState<'check' | 'import' | null>(null);
  const [, run] = useMutation(ImportDocument);

  const send = async (chosen: File, dryRun: boolean, options = { updates, skips }): Promise<void> => {
    setRunning(dryRun ? 'check' : 'import');
    setProblem(null);
    const mode = options.updates ? 'UPDATE' : 'CREATE';
    const { data, error } = await run({ file: chosen, dryRun, mode, skipInvalid: options.skips });
    setRunning(null);
    setReport(data?.importCatalog ?? null);
    if (error !== undefined) setProblem([...Object.values(problemsOf(error)).flat(), describeError(error)].join(' '));
    if (data?.importCatalog.outcome === 'IMPORTED') toast(`${chosen.name} was imported.`);
  };
  const choose = (chosen: File): void => {
    setFile(chosen);
    void send(chosen, true);
  };
  const change = (options: { readonly updates: boolean; readonly skips: boolean }): void => {
    setUpdates(options.updates);
    setSkips(options.skips);
    if (file !== null) void send(file, true, options);
  };
  const trySample = async (): Promise<void> => {
    const response = await fetch(sampleUrl);
    choose(new File([await response.blob()], 'university.csv', { type: 'text/csv' }));
  };
  const onDrop: DropZoneProps['onDrop'] = async ({ items }) => {
    const [dropped] = items.filter((item) => item.kind === 'file');
    if (dropped !== undefined) choose(await dropped.getFile());
  };
  const mayImport = report !== null && report.outcome === 'CHECKED' && report.rows > report.skipped;

  return (
    <section className="card" aria-labelledby="import-title">
      <h2 id="import-title">Import</h2>
      <DropZone className="drop" onDrop={onDrop}>
        <Text slot="label">{file === null ? 'Drop a CSV or JSON file here' : file.name}</Text>
        <div className="actions">
          <FileTrigger
            acceptedFileTypes={['.csv', '.tsv', '.txt', '.json', 'text/csv', 'application/json']}
            onSelect={(files) => {
              const [chosen] = files ?? [];
              if (chosen !== undefined) choose(chosen);
            }}
          >
            <Button className="button">Choose a file</Button>
          </FileTrigger>
          <Button className="button quiet" onPress={() => void trySample()}>
            Try sample data
          </Button>
        </div>
      </DropZone>
      <p className="hint">
        One row for each branch, its program repeated. Nothing is changed before you have seen what the file would do.
      </p>
      <div className="actions">
        <Checkbox isSelected={updates} onChange={(value) => change({ updates: value, skips })}>
          Change records that exist and differ
        </Checkbox>
        <Checkbox isSelected={skips} onChange={(value) => change({ updates, skips: value })}>
          Skip rows with problems
        </Checkbox>
      </div>
      <div role="status">
        {running !== null && (
          <p className="busy">
            <progress aria-label={running === 'check' ? 'Checking' : 'Importing'} />
            {running === 'check' ? 'Checking the file…' : 'Importing. Others go on working meanwhile…'}
          </p>
        )}
      </div>
      {problem !== null && (
        <p role="alert" className="notice bad">
          <span>{problem}</span>
        </p>
      )}
      {report !== null && running === null && <ImportReport report={report} />}
      {file !== null && mayImport && running === null && (
        <div className="actions">
          <Button className="button primary" onPress={() => void send(file, false)}>
            Import {file.name}
          </Button>
        </div>
      )}
    </section>
  );
}
