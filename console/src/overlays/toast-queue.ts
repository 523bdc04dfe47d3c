import { type ReactNode, useSyncExternalStore } from 'react';
import { createListeners } from '../browser/listeners.ts';

interface Action {
  readonly label: string;
  readonly run: () => void;
  /** The change that it undoes. */
  readonly changeId?: string | null;
}

export interface Toast {
  readonly key: number;
  readonly text: ReactNode;
  readonly action?: Action | undefined;
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
  show(withToast(toasts, { ...message, key: lastKey }));
}

/** So many are read; the window has room for them. */
const toastsMax = 4;

/** Whether it says, until it is dismissed, what was done. The newest is enough: all are under Changes. */
const isLasting = ({ timeoutMs: shownMs }: Toast): boolean => shownMs === undefined;

/** The messages after a new one, which replaces a hint, what said the same, and what was done before. */
export function withToast(before: readonly Toast[], added: Toast): readonly Toast[] {
  const others = before.filter(
    (one) =>
      one.isHint !== true &&
      (one.action !== undefined || one.text !== added.text) &&
      !(isLasting(one) && isLasting(added)),
  );
  const left = others.length < toastsMax ? undefined : others.find((one) => !isLasting(one));
  return [...others.filter((one) => one !== left), added];
}

export const dismiss = (key: number): void => show(toasts.filter((one) => one.key !== key));

/** Takes away the messages that offer to undo a change, once it is undone elsewhere. */
export const dismissUndoOf = (changeId: string): void =>
  show(toasts.filter(({ action }) => action?.changeId !== changeId));

/** The messages, the newest last. */
export const useToasts = (): readonly Toast[] => useSyncExternalStore(changes.listen, () => toasts);

/** Shows a message for a while, longer with an action. */
export const toast = (text: ReactNode, action?: Toast['action']): void =>
  add({ text, action, timeoutMs: action === undefined ? timeoutMs : longTimeoutMs });

/** Says something in passing: it goes with the next message. */
export const toastHint = (text: ReactNode): void => add({ text, isHint: true, timeoutMs });

export const dismissHints = (): void => show(toasts.filter(({ isHint }) => isHint !== true));

/** Says what was done, until somebody dismisses it, or the next such message. */
export const toastLasting = (text: ReactNode, more: Pick<Toast, 'action' | 'details'> = {}): void =>
  add({ text, ...more });

export const toastFailure = (text: string): void => add({ text, isFailure: true, timeoutMs: longTimeoutMs });
