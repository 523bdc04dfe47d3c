import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

/** Words with names from outside between them: they may be long, or in any script. */
interface Words {
  readonly words: readonly string[];
  readonly names: readonly string[];
}

interface Message {
  readonly text: Words;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** The messages that are shown, and those that wait. */
export const queue = new ToastQueue<Message>({ maxVisibleToasts: 4 });

/** The text of a message about named records: ``named`${name} was saved.` ``. */
export const named = (words: TemplateStringsArray, ...names: readonly string[]): Words => ({ words, names });

/** Shows a message for a while; with an action longer, and for as long as the pointer or the focus is on it. */
export function toast(text: string | Words, action?: Message['action']): void {
  const message = typeof text === 'string' ? { words: [text], names: [] } : text;
  queue.add({ text: message, action }, { timeout: action === undefined ? 6_000 : 15_000 });
}
