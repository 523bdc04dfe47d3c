import { type ReactNode, useSyncExternalStore } from 'react';
import { createListeners } from '../browser/listeners.ts';

export interface Toast {
  readonly key: number;
  readonly text: ReactNode;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  readonly isFailure?: boolean;
  readonly details?: ReactNode;
  /** Goes with the next message. */
  readonly isHint?: boolean;
  /** Without it, the message stays until somebody dismisses it. */
  readonly timeoutMs?: number;
}

const timeoutMs = 6_000;
const longTimeoutMs = 15_000;

const changes = createListeners();
let toasts: readonly Toast[] = [];
let lastKey = 0;

function show(next: readonly Toast[]): void {
  toasts = next;
  changes.notify();
}

function add(message: Omit<Toast, 'key'>): void {
  lastKey += 1;
  const isOver = (one: Toast) =>
    one.isHint === true || (one.action === undefined && one.text === message.text) || (isDone(one) && isDone(message));
  show([...toasts.filter((one) => !isOver(one)), { ...message, key: lastKey }]);
}

/** Whether it says, until it is dismissed, what was done. The newest is enough: all are under Changes. */
const isDone = ({ isFailure, details, timeoutMs: shownMs }: Omit<Toast, 'key'>): boolean =>
  isFailure !== true && details === undefined && shownMs === undefined;

export const dismiss = (key: number): void => show(toasts.filter((one) => one.key !== key));

/** The messages, the newest last. */
export const useToasts = (): readonly Toast[] => useSyncExternalStore(changes.listen, () => toasts);

/** Shows a message for a while, longer with an action. */
export const toast = (text: ReactNode, action?: Toast['action']): void =>
  add({ text, action, timeoutMs: action === undefined ? timeoutMs : longTimeoutMs });

/** Says what to do next, until that is done. */
export const toastHint = (text: ReactNode): void => add({ text, isHint: true, timeoutMs });

export const dismissHints = (): void => show(toasts.filter(({ isHint }) => isHint !== true));

/** Shows a message until somebody dismisses it, or the next one that says what was done; one with details stays. */
export const toastLasting = (text: string, more: Pick<Toast, 'action' | 'details'>): void => add({ text, ...more });

/** Shows what failed; with an action until somebody takes it. */
export const toastFailure = (text: string, action?: Toast['action']): void =>
  add({ text, isFailure: true, action, ...(action === undefined && { timeoutMs: longTimeoutMs }) });
