import { type FormEvent, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useAskBeforeLeaving } from '../browser/use-ask-before-leaving.ts';
import { t } from '../language/language.ts';

interface OverlayProps {
  readonly title: string;
  readonly isTitleHidden?: boolean;
  /** Closes the dialog after Escape or a click outside, which ask first if something was typed; undefined: neither does. */
  readonly close?: () => void;
  readonly role?: 'alertdialog';
  readonly className?: string;
  readonly children: ReactNode;
}

/** A dialog: the browser keeps the focus in it, gives it back afterwards, and asks before what was typed in it is lost. */
export function Overlay({ title, isTitleHidden = false, close, role, className = '', children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const beganOutside = useRef(false);
  const isTyped = useRef(false);
  const id = useId();
  useAskBeforeLeaving(() => isTyped.current);
  const leave = (): void => {
    if (!isTyped.current || window.confirm(t('components.closeUnsaved'))) close?.();
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
        leave();
      }}
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

const isSearch = ({ target }: FormEvent): boolean =>
  target instanceof HTMLInputElement && (target.type === 'search' || target.getAttribute('role') === 'searchbox');

/** Whether it is on the backdrop, for browsers that do not know `closedby="any"`. */
const isOutside = ({ target, currentTarget, clientX: x, clientY: y }: MouseEvent<HTMLElement>): boolean => {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return target === currentTarget && (x < left || x > right || y < top || y > bottom);
};
