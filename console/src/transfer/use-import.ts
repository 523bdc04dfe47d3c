import { useRef, useState } from 'react';
import { toast, toastText } from '../components/toast-queue.ts';
import type { Report } from '../import-report/report.ts';
import { type ColumnChoice, guessColumns, missingColumns } from './columns.ts';
import { type FileHead, importFile, type Reading, readHead } from './import-file.ts';

/** A file, how it is read, and the columns to import. */
interface Plan {
  readonly file: File;
  readonly reading: Reading;
  /** `null` until it has been read. */
  readonly head: FileHead | null;
  readonly columns: ColumnChoice;
}

interface Options {
  readonly updates: boolean;
  readonly skips: boolean;
}

/** The step in progress; `sent` is the part of the file that has been sent, from 0 to 1. */
export interface Running {
  readonly task: 'read' | 'check' | 'import';
  readonly sent: number;
}

/** The state of an import. The service checks every choice at once; only `run` changes the catalog. */
export function useImport(onImported: () => void) {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [options, setOptions] = useState<Options>({ updates: false, skips: false });
  const [report, setReport] = useState<Report | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [running, setRunning] = useState<Running | null>(null);
  const attempts = useRef(0);
  const previous = useRef<Promise<unknown>>(Promise.resolve());

  /** The result of a task; `null` when the user has changed a choice since: another is on its way, about what they see. */
  const attempt = async <Result>(
    task: Running['task'],
    work: (onProgress: (sent: number) => void) => Promise<Result | string>,
  ): Promise<Result | null> => {
    attempts.current += 1;
    const number = attempts.current;
    setRunning({ task, sent: 0 });
    setProblem(null);
    // The service runs one import at a time: the check of an earlier choice ends first.
    await previous.current;
    if (number !== attempts.current) return null;
    const working = work((sent) => {
      if (number === attempts.current) setRunning({ task, sent });
    });
    previous.current = working;
    const result = await working;
    if (number !== attempts.current) return null;
    setRunning(null);
    if (typeof result !== 'string') return result;
    setReport(null);
    setProblem(result);
    return null;
  };

  const send = async (task: 'check' | 'import', { head, ...plan }: Plan, chosen: Options): Promise<void> => {
    if (head === null) return;
    const request = { ...plan, ...chosen, head, dryRun: task === 'check' };
    const result = await attempt(task, (onProgress) => importFile(request, onProgress));
    if (result === null) return;
    setReport(result);
    if (result.outcome !== 'imported') return;
    toast(toastText`${plan.file.name} was imported.`);
    onImported();
  };

  const check = (next: Plan, chosen = options): void => {
    // A running import cannot be changed.
    if (running?.task === 'import') return;
    setPlan(next);
    if (missingColumns(next.columns).length === 0) {
      void send('check', next, chosen);
      return;
    }
    // The present report, and a request in flight, are about another file.
    attempts.current += 1;
    setRunning(null);
    setProblem(null);
    setReport(null);
  };

  const read = async (file: File, reading: Reading): Promise<void> => {
    if (running?.task === 'import') return;
    setPlan({ file, reading, head: null, columns: {} });
    setReport(null);
    const head = await attempt('read', (onProgress) => readHead(file, reading, onProgress));
    if (head !== null) check({ file, reading, head, columns: guessColumns(head.columns) });
  };

  return {
    plan,
    options,
    report,
    problem,
    running,
    choose: (file: File): Promise<void> => read(file, {}),
    changeReading: (reading: Reading): void => {
      if (plan !== null) void read(plan.file, reading);
    },
    changeColumns: (columns: ColumnChoice): void => {
      if (plan !== null) check({ ...plan, columns });
    },
    changeOptions: (changes: Partial<Options>): void => {
      const next = { ...options, ...changes };
      setOptions(next);
      if (plan !== null && plan.head !== null) check(plan, next);
    },
    checkAgain: (): void => {
      if (plan === null) return;
      if (plan.head === null) void read(plan.file, plan.reading);
      else check(plan);
    },
    /** Compares the file with the catalog once more, for its list of missing records. */
    readReport: async (): Promise<Report | string> => {
      if (plan === null || plan.head === null) return 'Choose a file first.';
      const { head, ...rest } = plan;
      return importFile({ ...rest, ...options, head, dryRun: true }, () => undefined);
    },
    run: (): void => {
      if (plan !== null) void send('import', plan, options);
    },
  };
}
