import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { knownHeight } from '../browser/known-height.ts';
import { usePageEvent } from '../browser/use-page-event.ts';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import { placesAfter, takenPlaces } from './places.ts';
import { dismiss, type Toast, useToasts } from './toast-queue.ts';

/** Tells the style sheet the height of the messages: bars at the lower edge of the window stand above them. */
const stripHeight = knownHeight('--toasts');

/** What is shown as long as something is so. */
interface Staying {
  readonly key: string;
  readonly node: ReactNode;
}

interface ToastListProps {
  readonly staying: readonly Staying[];
}

/** The messages, and what stays. F6 leads to the record beside a list, to its selection, to the messages, and back. */
export function ToastList({ staying }: ToastListProps) {
  const toasts = useToasts();
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
  return toasts.length > 0 || staying.length > 0 ? <Strip {...{ staying, toasts, leave }} /> : null;
}

interface StripProps extends ToastListProps, Pick<MessageProps, 'leave'> {
  readonly toasts: readonly Toast[];
}

/** A press that was aimed at a message which has gone lands within this time. */
const aimedMs = 1_000;

/**
 * The newest message is the uppermost, and none moves while the pointer, the focus or a press may be on its way to a button:
 * what has gone leaves its place empty until then.
 */
function Strip({ staying, toasts, leave }: StripProps) {
  const [isPointed, setIsPointed] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isHeld = isPointed || isFocused;
  const messages = toasts.map((message) => ({
    key: String(message.key),
    node: <Message {...{ message, isHeld, leave }} />,
  }));
  const shown = [...staying, ...messages];
  const [places, setPlaces] = useState<readonly string[]>([]);
  const now = placesAfter(places, shown);
  if (now !== places) setPlaces(now);
  const taken = takenPlaces(now, shown);
  const close = useEffectEvent(() => setPlaces(taken));
  const isEmptied = taken.length < now.length;
  useEffect(() => {
    if (isHeld || !isEmptied) return undefined;
    const timer = setTimeout(close, aimedMs);
    return () => clearTimeout(timer);
  }, [isHeld, isEmptied]);
  return (
    <section
      ref={stripHeight}
      className="toasts"
      aria-label={t('components.messages')}
      tabIndex={-1}
      onPointerEnter={() => setIsPointed(true)}
      onPointerLeave={() => setIsPointed(false)}
      onFocus={({ target }) => setIsFocused(target.matches(':focus-visible'))}
      onBlur={() => setIsFocused(false)}
    >
      {now.toReversed().map((place) => (
        <Place key={place}>{shown.find(({ key }) => key === place)?.node}</Place>
      ))}
    </section>
  );
}

/** Keeps its height when its message has gone. */
function Place({ children }: { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    if (children === undefined) current.style.minHeight = `${height.current}px`;
    else height.current = current.offsetHeight;
  });
  return <div ref={place}>{children}</div>;
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
  const close = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    // Else the next control gets the focus: a button of another message.
    currentTarget.closest('section')?.focus();
    dismiss(key);
  };
  return (
    <div role="alertdialog" aria-labelledby={id} className={isFailure ? 'toast bad' : 'toast'}>
      <div role="alert">
        <span id={id}>{text}</span>
        {details}
      </div>
      {action !== undefined && (
        <Button
          onClick={(event) => {
            close(event);
            leave();
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
