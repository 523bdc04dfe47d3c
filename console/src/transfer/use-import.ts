import { createElement, Fragment, useEffect, useEffectEvent } from 'react';
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
import { sayWhy } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';
import {
  type FileHead,
  fileNameOf,
  type ImportOptions,
  importFile,
  isChanged,
  type Reading,
  readFile,
  readHead,
} from './import-file.ts';
import { changeImport, importOf, type Plan, type Task, useImportState } from './import-state.ts';
import { LeftOut } from './left-out.tsx';

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

/** The number of the last task. */
let attempts = 0;
/** An import whose answer was lost: perhaps it was made. */
let lost: { readonly requestId: string; readonly report: Report } | null = null;
/** Checks the file of the screen again, once its import is undone; `null` on other screens. */
let checkShown: (() => void) | null = null;

/** The state of an import, which outlasts its screen. The service checks every choice at once; only `run` changes the catalog. */
export function useImport() {
  const { viewer } = useRights();
  const { plan, options, result, running, checkedMs, isOvertaken, isStale } = useImportState(viewer.name);
  const change = (changed: Parameters<typeof changeImport>[1]): void => changeImport(viewer.name, changed);
  const forget = (): void => change({ result: null });
  useAskBeforeLeaving(() => plan !== null && (result === null || wasImported(result) !== true));
  const client = useClient();
  const offerUndo = useOfferUndo();
  const leave = useEffectEvent(() => {
    abandonCheck();
    checkShown = null;
    // What was abandoned is read and checked once the screen is back.
    const abandoned = importOf(viewer.name).running;
    if (abandoned === 'import' || abandoned === null) return;
    attempts += 1;
    change({ running: null, result: null });
  });
  useEffect(() => () => leave(), []);

  /** The result of a task; `null` if a newer task has replaced it. */
  const attempt = async <Result>(task: Task, work: () => Promise<Result | string>): Promise<Result | null> => {
    attempts += 1;
    const number = attempts;
    const before = importOf(viewer.name).result;
    change({ running: task, result: typeof before === 'string' ? null : before });
    const found = await work();
    if (number !== attempts) return null;
    change({ running: null, ...(typeof found === 'string' && { result: found }) });
    return typeof found === 'string' ? null : found;
  };

  const send = async (task: 'check' | 'import', { head, ...chosen }: Plan, given: ImportOptions) => {
    if (head === null) return;
    const dryRun = task === 'check';
    const stale = await isChanged(chosen.file);
    change({ isStale: stale });
    // The user is told first.
    if (!dryRun && stale && !isStale) return;
    const began = performance.now();
    const shown = dryRun || typeof result === 'string' ? null : result;
    const requestId = randomId();
    const report = await attempt(task, async () => {
      const made = lost && (await changeMadeBy(client, lost.requestId, fileNameOf(chosen.file.source)));
      if (made === undefined) return sayWhy(t('api.unreachable'));
      if (made !== null && lost !== null) return importedAs(lost.report, made);
      if (shown !== null) lost = { report: shown, requestId };
      const fingerprint = shown?.fingerprint ?? null;
      const importing = importFile({ ...chosen, options: given, head, dryRun, fingerprint, requestId });
      const said = await ownChange(shown?.records ?? [], importing, wasImported);
      if (shown !== null && typeof said !== 'string') lost = null;
      return said;
    });
    if (report === null) return;
    change({
      result: report,
      isOvertaken: !dryRun && report.outcome === 'checked',
      ...(dryRun && { checkedMs: performance.now() - began }),
    });
    if (report.outcome !== 'imported') return;
    lost = null;
    const words = t.rich('transfer.imported', { name: chosen.file.source.name, effect: effectOf(report), bdi });
    const text = createElement(Fragment, null, words, createElement(LeftOut, { report }));
    offerUndo(text, report.changeId, () => (checkShown ?? forget)());
  };

  const check = (next: Plan, chosen = options): void => {
    // A running import cannot be changed.
    if (running === 'import') return;
    change({ plan: next });
    if (next.head !== null) last = { ...next, names: namesIn(next.head) };
    if (missingColumns(next.columns).length === 0) {
      void send('check', next, chosen);
      return;
    }
    // The present report, and a request in flight, are about another file.
    attempts += 1;
    abandonCheck();
    change({ running: null, result: null });
  };

  /** Reads a file, again or as the user has chosen; without a `reading` as the last one. */
  const read = async (source: File, reading?: Reading, isAgain = false): Promise<void> => {
    if (running === 'import') return;
    change({ isStale: false });
    if (!isAgain) {
      lost = null;
      const file = { source, content: source };
      change({ plan: { file, reading: reading ?? {}, head: null, columns: {} }, result: null });
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
    change({ options: next });
    check({ ...found, columns }, next);
  };

  const checkAgain = (): void => {
    if (plan !== null) void read(plan.file.source, plan.reading, true);
  };
  useEffect(() => {
    checkShown = checkAgain;
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
      change({ options: next });
      if (plan !== null && plan.head !== null) check(plan, next);
    },
    checkAgain,
    /** Reads and checks what was left before its report was there. */
    goOn: (): void => {
      if (running === null && result === null) checkAgain();
    },
    run: (): void => {
      if (plan !== null) void send('import', plan, options);
    },
  };
}

const importedAs = (report: Report, changeId: string): Report => ({ ...report, outcome: 'imported', changeId });

const namesIn = ({ columns }: FileHead): string => columns.map(({ name }) => name).join('\n');
