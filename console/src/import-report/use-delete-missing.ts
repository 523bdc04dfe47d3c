import { useState } from 'react';
import { useClient } from 'urql';
import { describeError } from '../api/errors.ts';
import { sendBulk } from '../bulk/send.ts';
import { useUndo } from '../bulk/use-undo.ts';
import { toast, toastFailure } from '../components/toast-queue.ts';
import { pluralize } from '../format/text.ts';
import type { Report } from './report.ts';

type Missing = Report['missing'];

/**
 * Deletes the records that a file does not have, in portions as its report lists them: at most a thousand, the limit of a
 * mutation too. After each the file is compared again, which lists the next.
 */
export function useDeleteMissing(readReport: () => Promise<Report | string>, onDeleted: () => void) {
  const client = useClient();
  const undo = useUndo();
  const [deleted, setDeleted] = useState<number | null>(null);
  const restore = async (changeIds: readonly string[]): Promise<void> => {
    for (const changeId of changeIds.toReversed()) await undo(changeId);
    onDeleted();
  };
  /** Calls `done` after each change. Returns the next report, or the problem. */
  const deletePortion = async (missing: Missing, done: (changed: number, changeId: string) => void) => {
    for (const kind of ['PROGRAM', 'BRANCH'] as const) {
      const ids = missing.filter((one) => one.kind.toUpperCase() === kind).map(({ recordId }) => recordId);
      if (ids.length === 0) continue;
      const { outcome, error } = await sendBulk(client, { kind, action: 'delete' }, ids, false);
      if (error !== undefined) return describeError(error);
      if (outcome?.changeId != null) done(outcome.changed, outcome.changeId);
      if (outcome?.problems[0] !== undefined) return outcome.problems[0].message;
    }
    return readReport();
  };
  const run = async (first: Missing): Promise<void> => {
    let [missing, count, isEnd] = [first, 0, false];
    const changeIds: string[] = [];
    while (missing.length > 0 && !isEnd) {
      setDeleted(count);
      const before = count;
      const next = await deletePortion(missing, (changed, changeId) => {
        count += changed;
        changeIds.push(changeId);
      });
      if (typeof next === 'string') toastFailure(next);
      else missing = next.missing;
      isEnd = typeof next === 'string' || count === before;
    }
    setDeleted(null);
    if (count > 0) {
      const text = `${pluralize(count, 'record was', 'records were')} deleted.`;
      toast(text, { label: 'Undo', run: () => void restore(changeIds) });
    }
    onDeleted();
  };
  return { deleted, run };
}
