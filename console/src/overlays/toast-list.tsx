import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { knownHeight } from '../browser/known-height.ts';
import { usePageEvent } from '../browser/use-page-event.ts';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import { dismiss, type Toast, useToasts } from './toast-queue.ts';

/** Tells the style sheet the height of the messages: bars at the lower edge of the window stand above them. */
const stripHeight = knownHeight('--toasts');

/** The messages, below what stays. F6 leads to the record beside a list, to its selection, to the messages, and back. */
export function ToastList({ children }: { readonly children: ReactNode }) {
  const toasts = useToasts();
  const [isHeld, setIsHeld] = useState(false);
  const cameFrom = useRef<Element | null>(null);
  const leave = (): void => {
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  };
  usePageEvent('keydown', (event) => {
    const regions = Array.from(document.querySelectorAll('.side-panel, .selection-bar, .toasts, .session-ended'));
    if (event.key !== 'F6' || regions.length === 0) return;
    event.preventDefault();
    const now = regions.findIndex((region) => region.contains(document.activeElement));
    if (now < 0) cameFrom.current = document.activeElement;
    const next = regions[now + 1];
    if (next instanceof HTMLElement) next.focus();
    else leave();
  });
  if (toasts.length === 0 && children === null) return null;
  return (
    <section
      ref={stripHeight}
      className="toasts"
      aria-label={t('components.messages')}
      tabIndex={-1}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      {children}
      {toasts.map((message) => (
        <Message key={message.key} {...{ message, isHeld, leave }} />
      ))}
    </section>
  );
}

interface MessageProps {
  readonly message: Toast;
  /** Whether the pointer or the focus is on the messages, which then stay. */
  readonly isHeld: boolean;
  /** Gives the focus back to where F6 found it. */
  readonly leave: () => void;
}

function Message({ message, isHeld, leave }: MessageProps) {
  const { key, text, action, isFailure = false, details, timeoutMs } = message;
  const id = useId();
  useEffect(() => {
    if (isHeld || timeoutMs === undefined) return undefined;
    const timer = setTimeout(() => dismiss(key), timeoutMs);
    return () => clearTimeout(timer);
  }, [isHeld, key, timeoutMs]);
  const close = (): void => dismiss(key);
  return (
    <div role="alertdialog" aria-labelledby={id} className={isFailure ? 'toast bad' : 'toast'}>
      <div role="alert">
        <span id={id}>{text}</span>
        {details}
      </div>
      {action !== undefined && (
        <Button
          onClick={() => {
            leave();
            close();
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button look="quiet" aria-label={t('components.dismiss')} onClick={close}>
        ×
      </Button>
    </div>
  );
}
