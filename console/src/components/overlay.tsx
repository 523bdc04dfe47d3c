import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface OverlayProps {
  readonly title: string;
  readonly isTitleHidden?: boolean;
  /** After Escape, or a click outside. Without it, neither closes the dialog. */
  readonly close?: () => void;
  readonly role?: 'alertdialog';
  readonly className?: string;
  readonly children: ReactNode;
}

/** A dialog: the browser keeps the focus in it, and gives it back afterwards. */
export function Overlay({ title, isTitleHidden = false, close, role, className = '', children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      role={role}
      closedby={close === undefined ? 'none' : 'closerequest'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close?.();
      }}
      // Not every browser knows `closedby="any"`.
      onMouseDown={(event) => {
        const { left, right, top, bottom } = event.currentTarget.getBoundingClientRect();
        const { target, currentTarget, clientX: x, clientY: y } = event;
        if (target !== currentTarget || (x >= left && x <= right && y >= top && y <= bottom)) return;
        // The focus stays where the closed dialog puts it.
        event.preventDefault();
        close?.();
      }}
    >
      <h2 id={id} className={isTitleHidden ? 'visually-hidden' : undefined}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
