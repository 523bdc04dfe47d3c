import type { UseNavigateResult } from '@tanstack/react-router';
import { useClient } from 'urql';
import { describeError } from '../api/errors.ts';
import { toast, toastFailure, toastText } from '../components/toast-queue.ts';
import { useLeaveAfter } from '../forms/use-leave-after.ts';
import { recordRoute } from '../records/record-link.tsx';
import { type BulkTask, sendBulk } from './send.ts';

interface Removed {
  readonly id: number;
  readonly name: string;
}

type Leave = (go: UseNavigateResult<string>) => Promise<void>;

/** Deletes and restores a record of a kind. Both show the outcome, and resolve to whether they succeeded. */
export function useRemoval(kind: BulkTask['kind']) {
  const client = useClient();
  const leaveAfter = useLeaveAfter();
  const send = async (action: 'delete' | 'restore', id: number): Promise<boolean> => {
    const { outcome, error } = await sendBulk(client, { kind, action }, [id], false);
    const problem = error === undefined ? outcome?.problems[0]?.message : describeError(error);
    if (problem !== undefined) toastFailure(problem);
    return problem === undefined;
  };
  const restore = async ({ id, name }: Removed): Promise<boolean> => {
    const isDone = await send('restore', id);
    const isProgram = kind === 'PROGRAM';
    if (isDone) toast(isProgram ? toastText`${name} is back, with its branches.` : toastText`${name} is back.`);
    return isDone;
  };
  /** With `leave`, the screen of the record is left; undoing the deletion opens it again. */
  const remove = async (record: Removed, leave?: Leave): Promise<boolean> => {
    const { id, name } = record;
    const go = leaveAfter();
    if (!(await send('delete', id))) return false;
    await leave?.(go);
    const undo = async (): Promise<void> => {
      const comeBack = leaveAfter();
      if ((await restore(record)) && leave !== undefined) await comeBack(recordRoute(kind, id));
    };
    toast(kind === 'PROGRAM' ? toastText`${name} was deleted, with its branches.` : toastText`${name} was deleted.`, {
      label: 'Undo',
      run: () => void undo(),
    });
    return true;
  };
  return { remove, restore };
}
