import { Button } from 'react-aria-components/Button';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { queue } from './toast-queue.ts';

export function ToastList() {
  return (
    <ToastRegion queue={queue} className="toasts">
      {({ toast: shown }) => (
        <Toast toast={shown} className={shown.content.isFailure ? 'toast bad' : 'toast'}>
          <ToastContent>
            <Text slot="title">{shown.content.text}</Text>
            {shown.content.records !== undefined && shown.content.records.length > 0 && (
              <ul className="toast-records" slot="description">
                {shown.content.records.map(({ name, about, href, open }) => (
                  <li key={href} className="name-text">
                    <a
                      href={href}
                      onClick={(event) => {
                        event.preventDefault();
                        open();
                      }}
                    >
                      {name}
                    </a>
                    : {about}
                  </li>
                ))}
              </ul>
            )}
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
