import { useRef, useState } from 'react';
import { useClient } from 'urql';
import { describeError, type FieldProblems, isTemporary, problemsOf } from '../api/errors.ts';
import { ownChange } from '../forms/own-saves.ts';
import { randomId } from '../forms/use-draft.ts';
import type { BulkOutcomeFragment } from './documents.generated.ts';
import { type BulkAction, describeDone } from './nouns.ts';
import { type BulkTask, type Checked, sendBulk } from './send.ts';
import { useOfferUndo } from './use-undo.ts';

export interface BulkOptions {
  readonly action: BulkAction;
  readonly ids: readonly number[];
  /** After the change, unless the user goes on with another, and after its undo. */
  readonly changed?: (() => void) | undefined;
}

/** What a task would do. */
interface Plan extends Omit<BulkOutcomeFragment, 'changeId' | 'fingerprint'>, Checked {
  readonly task: BulkTask;
  /** Those that can be changed. */
  readonly ids: readonly number[];
  readonly failing: number;
}

/** Checks a change of many records without changing anything; then makes it. */
export function useBulk({ action, ids, changed }: BulkOptions) {
  const client = useClient();
  const offerUndo = useOfferUndo();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [sending, setSending] = useState<'check' | 'change' | null>(null);
  /** How often the user has changed what they want: an answer to what they wanted before is not shown. */
  const wishes = useRef(0);
  const [isOvertaken, setIsOvertaken] = useState(false);
  const [failure, setFailure] = useState<{ message: string; problems: FieldProblems } | null>(null);
  /** The outcome; `null` if it was rejected, `undefined` if nobody knows. */
  const send = async (task: BulkTask, some: readonly number[], checked?: Checked) => {
    setFailure(null);
    const { outcome, error } = await sendBulk(client, task, some, checked === undefined, checked);
    if (error !== undefined) {
      setFailure({ message: describeError(error), problems: problemsOf(error) });
      // Back to the fields: the change cannot be made, for example because the target program was deleted.
      if (!isTemporary(error) && (action === 'move' || action === 'change')) setPlan(null);
    }
    return error === undefined || isTemporary(error) ? outcome : null;
  };
  const planOf = async (task: BulkTask): Promise<Plan | undefined> => {
    const first = await send(task, ids);
    if (!first) return undefined;
    const failing = new Set(first.problems.map(({ id }) => id));
    const rest = ids.filter((id) => !failing.has(id));
    // All or none: a problem hides what the others would do.
    const outcome = failing.size > 0 && rest.length > 0 ? await send(task, rest) : first;
    if (!outcome) return undefined;
    return { ...outcome, key: randomId(), task, ids: rest, problems: first.problems, failing: failing.size };
  };
  const busy = async <Result>(what: 'check' | 'change', work: () => Promise<Result>): Promise<Result> => {
    setSending(what);
    setIsOvertaken(false);
    const result = await work();
    setSending(null);
    return result;
  };
  const showPlanOf = async (task: BulkTask): Promise<void> => {
    const wish = wishes.current;
    const found = await planOf(task);
    if (wishes.current === wish) setPlan(found ?? null);
  };
  const check = (task: BulkTask) => busy('check', () => showPlanOf(task));
  const change = async (shown: Plan): Promise<boolean | undefined> => {
    const { task } = shown;
    const outcome = await send(task, shown.ids, shown);
    if (!outcome) return outcome === null ? false : undefined;
    const { changeId } = outcome;
    // What others have saved since the check is shown first.
    if (changeId === null) {
      await showPlanOf(task);
      setIsOvertaken(true);
      return false;
    }
    offerUndo(describeDone(task.kind, action, outcome.changed), changeId, changed);
    return true;
  };
  /** Returns whether it was done, and nothing else is wanted since. */
  const run = async (shown: Plan): Promise<boolean> => {
    const wish = wishes.current;
    const listed = new Set(shown.changes.map(({ recordId }) => recordId));
    const others = shown.ids.filter((id) => !listed.has(id));
    const records = [...shown.changes, ...others.map((recordId) => ({ kind: shown.task.kind, recordId, fields: [] }))];
    const isMade = await busy('change', () => ownChange(records, change(shown), (made) => made));
    const isOver = isMade === true && wishes.current === wish;
    if (isOver) changed?.();
    return isOver;
  };
  const reconsider = (): void => {
    wishes.current += 1;
    setPlan(null);
  };
  return { plan, sending, isOvertaken, failure, check, run, reconsider };
}
