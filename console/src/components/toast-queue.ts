import type { CombinedError } from '@urql/core';
import { createElement, type ReactNode } from 'react';
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';
import { describeError } from '../api/errors.ts';

/** A record that a message is about, with a link. */
interface ToastRecord {
  readonly name: string;
  readonly about: string;
  readonly href: string;
  readonly open: () => void;
}

interface Message {
  readonly text: ReactNode;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  readonly isFailure?: boolean;
  readonly records?: readonly ToastRecord[];
}

const timeoutMs = 6_000;
const longTimeoutMs = 15_000;

export const queue = new ToastQueue<Message>({ maxVisibleToasts: 4 });

/** The text of a toast with names of records, which may be in any script: ``toastText`${name} was saved.` ``. */
export const toastText = (strings: TemplateStringsArray, ...names: readonly string[]): ReactNode =>
  strings.map((text, index) => [text, index < names.length && createElement('bdi', { key: text }, names[index])]);

/** Shows a message for a while, longer with an action. */
export function toast(text: ReactNode, action?: Message['action']): void {
  queue.add({ text, action }, { timeout: action === undefined ? timeoutMs : longTimeoutMs });
}

/** Shows a message until somebody dismisses it: its records take a while to read. */
export function toastLasting(text: string, { action, records }: Pick<Message, 'action' | 'records'>): void {
  queue.add({ text, action, ...(records !== undefined && { records }) });
}

export function toastFailure(text: string): void {
  queue.add({ text, isFailure: true }, { timeout: longTimeoutMs });
}

/** Shows success or the error of a mutation. Returns whether it succeeded. */
export function toastOutcome(error: CombinedError | undefined, done: ReactNode, action?: Message['action']): boolean {
  if (error === undefined) toast(done, action);
  else toastFailure(describeError(error));
  return error === undefined;
}
