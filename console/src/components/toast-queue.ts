import type { CombinedError } from '@urql/core';
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';
import { describeError } from '../api/errors.ts';

/** Words with names from outside between them: they may be long, or in any script. */
interface Words {
  readonly words: readonly string[];
  readonly names: readonly string[];
}

interface Message {
  readonly text: Words;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  readonly isFailure?: boolean;
}

const timeoutMs = 6_000;
/** There is something to do or to understand. */
const longTimeoutMs = 15_000;

/** The messages that are shown, and those that wait. */
export const queue = new ToastQueue<Message>({ maxVisibleToasts: 4 });

/** The text of a message about named records: ``named`${name} was saved.` ``. */
export const named = (words: TemplateStringsArray, ...names: readonly string[]): Words => ({ words, names });

/** Shows a message for a while; with an action longer, and for as long as the pointer or the focus is on it. */
export function toast(text: string | Words, action?: Message['action']): void {
  queue.add({ text: wordsOf(text), action }, { timeout: action === undefined ? timeoutMs : longTimeoutMs });
}

/** Shows why something failed. */
export function toastFailure(text: string): void {
  queue.add({ text: wordsOf(text), isFailure: true }, { timeout: longTimeoutMs });
}

/** Shows that something is done, or why it failed. Returns whether it is done. */
export function toastOutcome(error: CombinedError | undefined, done: Words, action?: Message['action']): boolean {
  if (error === undefined) toast(done, action);
  else toastFailure(describeError(error));
  return error === undefined;
}

const wordsOf = (text: string | Words): Words => (typeof text === 'string' ? { words: [text], names: [] } : text);
