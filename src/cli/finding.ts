import { messageFor } from './errors.ts';

/** The result of a check of the command `check`; the service works in spite of a `warning`. */
export interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

/** Makes a finding of an error. An abort is none: it is thrown. */
export const failureOf =
  (check: string, signal?: AbortSignal) =>
  (problem: unknown): Finding => {
    signal?.throwIfAborted();
    return { check, result: 'failed', detail: messageFor(problem).replaceAll('\n', '; ') };
  };

/** Makes a finding of what a check says, or of its error. */
export function findingOf(check: string, work: () => Promise<string>): Promise<Finding> {
  return work().then((detail): Finding => ({ check, result: 'ok', detail }), failureOf(check));
}
