import { useState } from 'react';
import { useClient } from 'urql';
import { describeError, type FieldProblems, problemsOf } from '../api/errors.ts';
import { toastLasting } from '../components/toast-queue.ts';
import type { BulkOutcomeFragment } from './documents.generated.ts';
import { type BulkTask, sendBulk } from './send.ts';
import { useUndo } from './use-undo.ts';
import { type BulkAction, describeDone } from './words.ts';

export interface BulkOptions {
  readonly action: BulkAction;
  readonly ids: readonly number[];
  /** After the change, and after its undo. */
  readonly changed: () => void;
}

/** What a task would do. */
interface Plan extends Pick<BulkOutcomeFragment, 'changed' | 'unchanged' | 'problems'> {
  readonly task: BulkTask;
  /** Those that can be changed. */
  readonly ids: readonly number[];
  readonly failing: number;
}

/** Checks a change of many records without changing anything; then makes it. */
export function useBulk({ action, ids, changed }: BulkOptions) {
  const client = useClient();
  const undo = useUndo();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<{ message: string; problems: FieldProblems } | null>(null);
  const send = async (task: BulkTask, some: readonly number[], dryRun: boolean) => {
    setIsSending(true);
    setFailure(null);
    const { outcome, error } = await sendBulk(client, task, some, dryRun);
    setIsSending(false);
    if (error !== undefined) setFailure({ message: describeError(error), problems: problemsOf(error) });
    return error === undefined ? outcome : undefined;
  };
  const check = async (task: BulkTask): Promise<void> => {
    const first = await send(task, ids, true);
    if (first === undefined) return;
    const failing = new Set(first.problems.map(({ id }) => id));
    const rest = ids.filter((id) => !failing.has(id));
    // All or none: a problem hides what the others would do.
    const outcome = failing.size > 0 && rest.length > 0 ? await send(task, rest, true) : first;
    if (outcome === undefined) return;
    setPlan({ ...outcome, task, ids: rest, problems: first.problems, failing: failing.size });
  };
  /** Returns whether it was done. */
  const run = async ({ task, ids: planned }: Plan): Promise<boolean> => {
    const outcome = await send(task, planned, false);
    if (outcome === undefined) return false;
    if (outcome.problems.length > 0) {
      // The records have changed since the check.
      await check(task);
      return false;
    }
    const { changeId } = outcome;
    toastLasting(describeDone(task.kind, action, outcome.changed), {
      ...(changeId !== null && {
        action: { label: 'Undo', run: () => void undo(changeId).then((isUndone) => isUndone && changed()) },
      }),
    });
    changed();
    return true;
  };
  return { plan, isSending, failure, check, run, reconsider: () => setPlan(null) };
}
