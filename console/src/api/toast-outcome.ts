import type { CombinedError } from '@urql/core';
import type { ReactNode } from 'react';
import { toast, toastFailure } from '../overlays/toast-queue.ts';
import { describeError } from './errors.ts';

/** Shows success, if there is something to say of it, or the error of a mutation. */
export function toastOutcome(error: CombinedError | undefined, done?: ReactNode): void {
  if (error !== undefined) toastFailure(describeError(error));
  else if (done !== undefined) toast(done);
}
