import { Button } from 'react-aria-components/Button';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';

interface Message {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

const queue = new ToastQueue<Message>({ maxVisibleToasts: 4 });

/** Shows a message for a while; with an action longer, and for as long as the pointer or the focus is on it. */
export function toast(text: string, action?: Message['action']): void {
  queue.add({ text, action }, { timeout: action === undefined ? 6_000 : 15_000 });
}

export function Toasts() {
  return (
    <ToastRegion queue={queue} className="toasts">
      {({ toast: shown }) => (
        <Toast toast={shown} className="toast">
          <ToastContent>
            <Text slot="title">{shown.content.text}</Text>
          </ToastContent>
          {shown.content.action !== undefined && (
            <Button
              className="button"
              onPress={() => {
                queue.close(shown.key);
                shown.content.action?.run();
              }}
            >
              {shown.content.action.label}
            </Button>
          )}
          <Button slot="close" className="button quiet" aria-label="Dismiss">
            ×
          </Button>
        </Toast>
      )}
    </ToastRegion>
  );
}
