import type { UseNavigateResult } from '@tanstack/react-router';
import { useClient } from 'urql';
import { describeError } from '../api/errors.ts';
import type { RecordKind } from '../api/event-stream.ts';
import { describeProblem } from '../api/problems.ts';
import { randomId } from '../forms/use-draft.ts';
import { useLeaveAfter } from '../forms/use-leave-after.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { recordRoute } from '../links/record-link.tsx';
import { ask } from '../overlays/overlay.tsx';
import { toast, toastFailure } from '../overlays/toast-queue.ts';
import { branchesAmong } from './nouns.ts';
import { type Checked, sendBulk } from './send.ts';

interface Removed {
  readonly id: number;
  readonly name: string;
}

type Leave = (go: UseNavigateResult<string>) => Promise<void>;

/** Deletes and restores a record of a kind. Both show the outcome. */
export function useRemoval(kind: RecordKind) {
  const client = useClient();
  const leaveAfter = useLeaveAfter();
  /** Resolves to the outcome, if it succeeded. */
  const send = async (action: 'delete' | 'restore', id: number, dryRun = false, checked?: Checked) => {
    const { outcome, error } = await sendBulk(client, { kind, action }, [id], dryRun, checked);
    const [first] = outcome?.problems ?? [];
    const problem = error === undefined ? first && describeProblem(first) : describeError(error);
    if (problem !== undefined) toastFailure(problem);
    return problem === undefined ? outcome : undefined;
  };
  const restore = async ({ id, name }: Removed): Promise<boolean> => {
    const isDone = (await send('restore', id)) !== undefined;
    if (isDone) toast(t.rich('bulk.restored', { name, kind, bdi }));
    return isDone;
  };
  /**
   * A program whose branches go with it is deleted after a question alone. With `leave`, the screen of the record is left;
   * undoing the deletion opens it again.
   */
  const remove = async (record: Removed, leave?: Leave): Promise<void> => {
    const { id, name } = record;
    const go = leaveAfter();
    // A branch takes nothing with it.
    const plan = kind === 'PROGRAM' ? await send('delete', id, true) : null;
    if (plan === undefined) return;
    const branches = branchesAmong(plan?.changes ?? []);
    const run = async (): Promise<void> => {
      const checked = plan === null ? undefined : { fingerprint: plan.fingerprint, key: randomId() };
      const done = await send('delete', id, false, checked);
      if (done === undefined) return;
      // Somebody has changed it since: what goes with it is said again.
      if (done.changeId === null) return remove(record, leave);
      await leave?.(go);
      const undo = async (): Promise<void> => {
        const comeBack = leaveAfter();
        if ((await restore(record)) && leave !== undefined) await comeBack(recordRoute(kind, id));
      };
      toast(t.rich('bulk.deleted', { name, ...branches, bdi }), {
        label: t('common.undo'),
        run: () => void undo(),
        changeId: done.changeId,
      });
    };
    if (branches.count === 0) return run();
    ask({
      title: t('bulk.deleteWithBranches', branches),
      text: t.rich('bulk.goesWithBranches', { name, ...branches, bdi }),
      action: t('records.deleteOne', { kind }),
      run: () => void run(),
    });
  };
  return { remove, restore };
}
