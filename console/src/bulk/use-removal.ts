import type { UseNavigateResult } from '@tanstack/react-router';
import { useClient } from 'urql';
import { describeError } from '../api/errors.ts';
import type { RecordKind } from '../api/event-stream.ts';
import { describeProblem } from '../api/problems.ts';
import { useLeaveAfter } from '../forms/use-leave-after.ts';
import { t } from '../language/language.ts';
import { bdi } from '../language/tags.ts';
import { recordRoute } from '../links/record-link.tsx';
import { toast, toastFailure } from '../overlays/toast-queue.ts';
import { sendBulk } from './send.ts';

interface Removed {
  readonly id: number;
  readonly name: string;
}

type Leave = (go: UseNavigateResult<string>) => Promise<void>;

/** Deletes and restores a record of a kind. Both show the outcome, and resolve to whether they succeeded. */
export function useRemoval(kind: RecordKind) {
  const client = useClient();
  const leaveAfter = useLeaveAfter();
  /** Resolves to the change, if it succeeded. */
  const send = async (action: 'delete' | 'restore', id: number) => {
    const { outcome, error } = await sendBulk(client, { kind, action }, [id], false);
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
  /** With `leave`, the screen of the record is left; undoing the deletion opens it again. */
  const remove = async (record: Removed, leave?: Leave): Promise<boolean> => {
    const { id, name } = record;
    const go = leaveAfter();
    const done = await send('delete', id);
    if (done === undefined) return false;
    await leave?.(go);
    const undo = async (): Promise<void> => {
      const comeBack = leaveAfter();
      if ((await restore(record)) && leave !== undefined) await comeBack(recordRoute(kind, id));
    };
    toast(t.rich('bulk.deleted', { name, kind, bdi }), {
      label: t('common.undo'),
      run: () => void undo(),
      changeId: done.changeId,
    });
    return true;
  };
  return { remove, restore };
}
