import { useRef, useState } from 'react';
import { toast, toastText } from '../components/toast-queue.ts';
import { type ColumnChoice, guessColumns, missingColumns } from './columns.ts';
import { importFile, type Report } from './import-file.ts';
import { readColumns } from './read-columns.ts';

/** A file, and the columns to import. */
interface Plan {
  readonly file: File;
  /** The columns of the file. */
  readonly names: readonly string[];
  readonly columns: ColumnChoice;
}

interface Options {
  readonly updates: boolean;
  readonly skips: boolean;
}

/** The step in progress; `sent` is the part of the file that has been sent, from 0 to 1. */
export interface Running {
  readonly task: 'check' | 'import';
  readonly sent: number;
}

/** Whether the service can check a file. It can without columns: then it reports why the file has none. */
const canBeChecked = ({ names, columns }: Plan): boolean => names.length === 0 || missingColumns(columns).length === 0;

/** The state of an import. The service checks every choice at once; only `run` changes the catalog. */
export function useImport() {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [options, setOptions] = useState<Options>({ updates: false, skips: false });
  const [report, setReport] = useState<Report | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [running, setRunning] = useState<Running | null>(null);
  const attempts = useRef(0);
  const previous = useRef<Promise<unknown>>(Promise.resolve());

  const send = async (task: Running['task'], { file, columns }: Plan, { updates, skips }: Options): Promise<void> => {
    attempts.current += 1;
    const attempt = attempts.current;
    setRunning({ task, sent: 0 });
    setProblem(null);
    // The service runs one import at a time: the check of an earlier choice ends first.
    await previous.current;
    if (attempt !== attempts.current) return;
    const sent = importFile({ file, columns, dryRun: task === 'check', updates, skips }, (part) => {
      if (attempt === attempts.current) setRunning({ task, sent: part });
    });
    previous.current = sent;
    const result = await sent;
    // The user has changed a choice since: another response is on its way.
    if (attempt !== attempts.current) return;
    setRunning(null);
    setReport(typeof result === 'string' ? null : result);
    if (typeof result === 'string') setProblem(result);
    else if (result.outcome === 'imported') toast(toastText`${file.name} was imported.`);
  };

  const check = (next: Plan, chosen = options): void => {
    // A running import cannot be changed.
    if (running?.task === 'import') return;
    setPlan(next);
    if (canBeChecked(next)) {
      void send('check', next, chosen);
      return;
    }
    // The present report, and a request in flight, are about another file.
    attempts.current += 1;
    setRunning(null);
    setProblem(null);
    setReport(null);
  };

  return {
    plan,
    options,
    report,
    problem,
    running,
    choose: async (file: File): Promise<void> => {
      const names = await readColumns(file);
      check({ file, names, columns: guessColumns(names) });
    },
    changeColumns: (columns: ColumnChoice): void => {
      if (plan !== null) check({ ...plan, columns });
    },
    changeOptions: (changes: Partial<Options>): void => {
      const next = { ...options, ...changes };
      setOptions(next);
      if (plan !== null) check(plan, next);
    },
    checkAgain: (): void => {
      if (plan !== null) check(plan);
    },
    run: (): void => {
      if (plan !== null) void send('import', plan, options);
    },
  };
}
