import type { CombinedError } from '@urql/core';
import type { ReactNode } from 'react';
import { toast, toastFailure } from '../components/toast-queue.ts';
import { describeError } from './errors.ts';

/** Shows success or the error of a mutation. */
export function toastOutcome(error: CombinedError | undefined, done: ReactNode): void {
  if (error === undefined) toast(done);
  else toastFailure(describeError(error));
}
