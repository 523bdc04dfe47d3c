import { useBlocker } from '@tanstack/react-router';
import {
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import { createListeners } from '../browser/listeners.ts';
import { useAskBeforeLeaving } from '../browser/use-ask-before-leaving.ts';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';

interface OverlayProps {
  readonly title: string;
  readonly isTitleHidden?: boolean;
  /** Closes the dialog after Escape or a click outside, which ask first if something was typed; undefined: neither does. */
  readonly close?: () => void;
  /** Whether it opens with what was typed before. */
  readonly hasTyped?: boolean;
  readonly role?: 'alertdialog';
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * A dialog: the browser keeps the focus in it, and gives it back afterwards. It asks before what was typed in it is lost,
 * by a dialog of the page: one of the browser would stop what the tab does for others.
 */
export function Overlay(props: OverlayProps) {
  const { title, isTitleHidden = false, close, hasTyped = false, role, className = '', children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const beganOutside = useRef(false);
  const isTyped = useRef(hasTyped);
  const id = useId();
  useAskBeforeLeaving(() => isTyped.current);
  useBlocker({
    enableBeforeUnload: false,
    // The browser's buttons are no answer to its question; links and the form itself leave what is typed.
    shouldBlockFn: ({ action }) => {
      const isLosing = isTyped.current && action !== 'PUSH' && action !== 'REPLACE';
      if (isLosing) leave();
      return isLosing;
    },
  });
  const leave = (): void => {
    if (!isTyped.current || close === undefined) {
      close?.();
      return;
    }
    if (dialog.current?.open === false) dialog.current.showModal();
    ask({ title: t('components.closeUnsaved'), action: t('common.close'), run: close });
  };
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    // React focuses before the dialog is shown, which is too early.
    current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => current?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape.
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      role={role}
      closedby={close === undefined ? 'none' : 'closerequest'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        // At a second Escape, a browser closes it whatever the page says.
        if (event.cancelable) leave();
      }}
      onClose={({ currentTarget }) => !currentTarget.open && leave()}
      onInput={(event) => {
        isTyped.current ||= !isSearch(event);
      }}
      onPointerDown={(event) => {
        beganOutside.current = isOutside(event);
      }}
      onClick={(event) => beganOutside.current && isOutside(event) && leave()}
    >
      <h2 id={id} className={isTitleHidden ? 'visually-hidden' : undefined}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

interface Question {
  readonly title: string;
  readonly text?: ReactNode;
  /** The text of the button. */
  readonly action: string;
  readonly run: () => void;
  /** Whether it can be undone, or is an undo: then Enter does it. */
  readonly isReversible?: boolean;
}

const changes = createListeners();
let asked: Question | null = null;

/** Asks before something is done; `null` takes the question back. */
export function ask(question: Question | null): void {
  asked = question;
  changes.notify();
}

/** The question that is asked. Before what cannot be undone, the button that leaves it has the focus. */
export function Asked() {
  const question = useSyncExternalStore(changes.listen, () => asked);
  if (question === null) return null;
  const { title, text, action, run, isReversible = false } = question;
  const close = (): void => ask(null);
  return (
    <Overlay title={title} close={close} role="alertdialog">
      {text !== undefined && <p className="name-text">{text}</p>}
      <div className="actions">
        <Button onClick={close}>{t('common.cancel')}</Button>
        <Button
          look={isReversible ? 'primary' : 'danger'}
          {...(isReversible && { autoFocus: true, 'data-autofocus': true })}
          onClick={() => {
            // A dialog below it, which is closed next, gets the focus back before.
            flushSync(close);
            run();
          }}
        >
          {action}
        </Button>
      </div>
    </Overlay>
  );
}

const isSearch = ({ target }: FormEvent): boolean =>
  target instanceof HTMLInputElement && (target.type === 'search' || target.getAttribute('role') === 'searchbox');

/** Whether it is on the backdrop, for browsers that do not know `closedby="any"`. */
const isOutside = ({ target, currentTarget, clientX: x, clientY: y }: MouseEvent<HTMLElement>): boolean => {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return target === currentTarget && (x < left || x > right || y < top || y > bottom);
};
