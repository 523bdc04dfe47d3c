import { useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { abandonCheck, type Report, wasImported } from '../api/import-report.ts';
import { useAskBeforeLeaving } from '../browser/use-ask-before-leaving.ts';
import { changeMadeBy } from '../bulk/change-made-by.ts';
import { useOfferUndo } from '../bulk/use-undo.ts';
import { type ColumnChoice, guessColumns } from '../fields/file-columns.ts';
import { ownChange } from '../forms/own-saves.ts';
import { randomId } from '../forms/use-draft.ts';
import { hasIds, missingColumns } from '../import-report/columns.ts';
import { effectOf } from '../import-report/import-report.tsx';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import {
  type FileHead,
  fileNameOf,
  type ImportOptions,
  type ImportRequest,
  importFile,
  isChanged,
  type Reading,
  readFile,
  readHead,
} from './import-file.ts';

/** A file, how it is read, and the columns to import. Its head is `null` until it has been read. */
type Plan = Pick<ImportRequest, 'file' | 'reading' | 'columns'> & { readonly head: FileHead | null };

const noOptions: ImportOptions = {
  updates: false,
  skips: false,
  fillsDown: false,
  skipsHidden: false,
  renames: false,
  isWhole: false,
  keep: [],
};

type Task = 'read' | 'check' | 'import';

/** How the last file was read. The next with the same columns, such as the corrected one, is taken so, too. */
let last: Pick<Plan, 'reading' | 'columns'> & { readonly names: string } = { reading: {}, columns: {}, names: '' };

/** Reads the columns of a file where they were in the last one, else where they are likely to be. */
async function readAsBefore(file: Plan['file']): Promise<Pick<Plan, 'reading' | 'head'> | string> {
  // Corrected files may have other encodings.
  const { encoding: _, ...reading } = last.reading;
  const head = Object.keys(reading).length > 0 && (await readHead(file, reading));
  if (typeof head === 'object' && namesIn(head) === last.names) return { reading, head };
  const found = await readHead(file, {});
  return typeof found === 'string' ? found : { reading: {}, head: found };
}

/** The state of an import. The service checks every choice at once; only `run` changes the catalog. */
export function useImport() {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [options, setOptions] = useState<ImportOptions>(noOptions);
  /** The problem, if it is a text. */
  const [result, setResult] = useState<Report | string | null>(null);
  const [running, setRunning] = useState<Task | null>(null);
  /** How long the last check took, by which an import is estimated. */
  const [checkedMs, setCheckedMs] = useState<number | null>(null);
  /** Whether others have changed the catalog since the file was checked: it is checked again, and not imported. */
  const [isOvertaken, setIsOvertaken] = useState(false);
  /** Whether the file was saved again since it was read. */
  const [isStale, setIsStale] = useState(false);
  useAskBeforeLeaving(() => plan !== null && (result === null || wasImported(result) !== true));
  const attempts = useRef(0);
  const client = useClient();
  /** An import whose answer was lost: perhaps it was made. */
  const lost = useRef<{ readonly requestId: string; readonly report: Report } | null>(null);
  const offerUndo = useOfferUndo();
  /** The screen checks the file again, if it is still there. */
  const undone = useRef<() => void>(undefined);
  useEffect(
    () => () => {
      abandonCheck();
      undone.current = undefined;
    },
    [],
  );

  /** The result of a task; `null` if a newer task has replaced it. */
  const attempt = async <Result>(task: Task, work: () => Promise<Result | string>): Promise<Result | null> => {
    attempts.current += 1;
    const number = attempts.current;
    setRunning(task);
    setResult((last) => (typeof last === 'string' ? null : last));
    const found = await work();
    if (number !== attempts.current) return null;
    setRunning(null);
    if (typeof found !== 'string') return found;
    setResult(found);
    return null;
  };

  const send = async (task: 'check' | 'import', { head, ...chosen }: Plan, given: ImportOptions) => {
    if (head === null) return;
    const dryRun = task === 'check';
    const stale = await isChanged(chosen.file);
    setIsStale(stale);
    // The user is told first.
    if (!dryRun && stale && !isStale) return;
    const began = performance.now();
    const shown = dryRun || typeof result === 'string' ? null : result;
    const requestId = randomId();
    const report = await attempt(task, async () => {
      const made = lost.current && (await changeMadeBy(client, lost.current.requestId, fileNameOf(chosen.file.source)));
      if (made === undefined) return t('api.unreachable');
      if (made !== null && lost.current !== null) return importedAs(lost.current.report, made);
      if (shown !== null) lost.current = { report: shown, requestId };
      const fingerprint = shown?.fingerprint ?? null;
      const importing = importFile({ ...chosen, options: given, head, dryRun, fingerprint, requestId });
      const said = await ownChange(shown?.records ?? [], importing, wasImported);
      if (shown !== null && typeof said !== 'string') lost.current = null;
      return said;
    });
    if (report === null) return;
    setIsOvertaken(!dryRun && report.outcome === 'checked');
    if (dryRun) setCheckedMs(performance.now() - began);
    setResult(report);
    if (report.outcome !== 'imported') return;
    lost.current = null;
    const words = t.rich('transfer.imported', { name: chosen.file.source.name, effect: effectOf(report), bdi });
    offerUndo(words, report.changeId, () => undone.current?.());
  };

  const check = (next: Plan, chosen = options): void => {
    // A running import cannot be changed.
    if (running === 'import') return;
    setPlan(next);
    if (next.head !== null) last = { ...next, names: namesIn(next.head) };
    if (missingColumns(next.columns).length === 0) {
      void send('check', next, chosen);
      return;
    }
    // The present report, and a request in flight, are about another file.
    attempts.current += 1;
    abandonCheck();
    setRunning(null);
    setResult(null);
  };

  /** Reads a file, again or as the user has chosen; without a `reading` as the last one. */
  const read = async (source: File, reading?: Reading, isAgain = false): Promise<void> => {
    if (running === 'import') return;
    setIsStale(false);
    if (!isAgain) {
      lost.current = null;
      setPlan({ file: { source, content: source }, reading: reading ?? {}, head: null, columns: {} });
      setResult(null);
    }
    const found = await attempt('read', async () => {
      // One that was saved again is read as it was: only the user can choose it.
      const kept = plan !== null && plan.head !== null && plan.file.source === source ? plan.file : null;
      const file = (await readFile(source)) ?? kept;
      if (file === null) return t('transfer.unreadableFile', { name: source.name });
      if (reading === undefined) {
        const asBefore = await readAsBefore(file);
        return typeof asBefore === 'string' ? asBefore : { file, ...asBefore };
      }
      const head = await readHead(file, reading);
      return typeof head === 'string' ? head : { file, head, reading };
    });
    if (found === null) return;
    const isSame = found.head !== null && namesIn(found.head) === last.names;
    const columns = isSame ? last.columns : guessColumns(found.head?.columns ?? []);
    // A file with ids was exported from here, and brings corrections back. What is renamed or hidden is said of one file.
    const isSameFile = isAgain && isSame;
    const [renames, skipsHidden] = [isSameFile && options.renames, isSameFile && options.skipsHidden];
    const next = { ...options, renames, skipsHidden, updates: options.updates || hasIds(columns) };
    setOptions(next);
    check({ ...found, columns }, next);
  };

  const checkAgain = (): void => {
    if (plan !== null) void read(plan.file.source, plan.reading, true);
  };
  useEffect(() => {
    undone.current = checkAgain;
  });

  return {
    plan,
    options,
    report: typeof result === 'string' ? null : result,
    problem: typeof result === 'string' ? result : null,
    running,
    checkedMs,
    isOvertaken,
    isStale,
    choose: (file: File): Promise<void> => read(file),
    changeReading: (reading: Reading): void => {
      if (plan !== null) void read(plan.file.source, reading);
    },
    changeColumns: (columns: ColumnChoice): void => {
      if (plan !== null) check({ ...plan, columns });
    },
    changeOptions: (changes: Partial<ImportOptions>): void => {
      const next = { ...options, ...changes };
      setOptions(next);
      if (plan !== null && plan.head !== null) check(plan, next);
    },
    checkAgain,
    run: (): void => {
      if (plan !== null) void send('import', plan, options);
    },
  };
}

const importedAs = (report: Report, changeId: string): Report => ({ ...report, outcome: 'imported', changeId });

const namesIn = ({ columns }: FileHead): string => columns.map(({ name }) => name).join('\n');
