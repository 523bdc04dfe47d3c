import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

interface Message {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** The messages that are shown, and those that wait. */
export const queue = new ToastQueue<Message>({ maxVisibleToasts: 4 });

/** Shows a message for a while; with an action longer, and for as long as the pointer or the focus is on it. */
export function toast(text: string, action?: Message['action']): void {
  queue.add({ text, action }, { timeout: action === undefined ? 6_000 : 15_000 });
}
